import { count, noun, type Beside, type Grammar, type Tense } from '../parse/word.js';
import { COMMON } from './common.js';

const TENSE: Tense = {
  past: String.raw`foi|foram|era|eram|havia|houve|teve|tivemos|tiveram|fez|fizeram|fizemos|veio|vieram|esteve|\p{L}{2,}ou|\p{L}{2,}(?:aram|eram|iram|íram)|\p{L}{2,}[eiu]u|\p{L}{2,}(?:ava|avam|emos|imos)|(?:tem|têm|tinha|tinham)(?: \p{L}+)? \p{L}+(?:ado|ido)|(?:enviad|vendid|comprad|criad|recebid|realizad|fechad|abert|feit|emitid|faturad|registrad|gerad|processad|concluíd|cancelad|devolvid|perdid|publicad|assinad|contratad)[oa]s?|entregues?|pagos|pagas|\p{L}{3,}ei|vendi|recebi|saí|abri|escrevi`,
  future: String.raw`\p{L}{2,}(?:rá|rão|remos)|\p{L}*[aei]rei|(?:vai|vão|vamos|vou) \p{L}+r|previst[oa]s?|agendad[oa]s?|programad[oa]s?|planejad[oa]s?|planead[oa]s?|vence|vencem|lembre|lembrar|reserve|reservar|agende|agendar`,
  neither: String.raw`devemos|vemos|lemos|sabemos|fazemos|dizemos|(?:está|estão|é|são) (?:fechad|abert|ocupad)[oa]s?|estou|meu|seu|teu|europeu|museu|este|deste|neste|leste|oeste|teste|temos|pode|podemos|queremos|precisamos|quanto|queria`,
};

const BESIDE: Beside = {
  asks: `que o qual quais quem quanto quanta quantos quantas como quando onde porque foi foram era eram é são está estão há houve tem temos tinha
tivemos será serão vai vão mostre- mostra- me dê dá liste- lista- busque- busca- encontre- envie- lembre- ligue- liga- reserve- agende-
pode poderia posso quero queria preciso eu nós mim nos você vocês ele ela eles elas se meu minha meus minhas nosso nossa nossos nossas seu
sua seus suas favor compare- calcule- resuma- fizemos fez vendemos vendeu`,
  places: 'em no na nos nas a ao à',
  prepositions: 'a à ao às aos em no na pela pelo pelas por até antes depois após durante',
  neutral: `e ou mas que todo todos toda todas só somente apenas também ainda já aqui com sem para de do da dos das o os as um uma não nada ninguém
alguém muito muitos obrigado obrigada olá segundo venda- vend- receita- faturamento- fatura- fatur- pedido- encomenda- cliente- usuário-
utilizador- cadastro- consulta- reuniã- reuniõ- ligaç- chamada- relatório- número- resultado- dado- métrica- ticket- chamado- erro- falha-
incidente- queda- alerta- entrega- entreg- envio- enviad- devolu- reembolso- pagamento- pago- paga- transferência- gasto- despesa- custo-
lucro- margem orçamento- salário- aluguel imposto- estoque- produto- artigo- preço- projeto- tarefa- funcionário- equipe- equipa-
escritório- loja- site- página- visita- clique- sess- download- instalaç- cancelamento- reserva- viagem- viagens voo- hotel- evento-
curso- treinamento- conferência- backup- servidor- implanta- versã- atualiza- e-mail email- mensagem- mensagens arquivo- foto- documento-
contrato- proposta- tempo clima temperatura- consumo uso desempenho pesquisa- reclama- avalia- crescimento redu- aumento- resumo- balanço-
estatística- análise- tráfego campanha- newsletter- assinatura- carrinho- transaç- acesso- login- chegou chegaram aberto- fechado-
recebid- receb- criado- assinado- cancelad- médico dentista festa- aula- prova- jogo- pacote- orçad- caiu fora tenho calendário extras
candidatura-`,
};

/** Portuguese, on both sides of the ocean. */
export const portuguese = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  endings: 'o a os as',
  rows: [
    ...COMMON,
    [{ day: 0 }, 'hoje'],
    [{ day: 1 }, 'amanhã, dia seguinte, o dia seguinte, no dia seguinte'],
    [{ day: -1 }, 'ontem, dia anterior, o dia anterior, no dia anterior'],
    [{ day: -2 }, 'anteontem, antontem'],
    [{ day: -2, off: -1 }, 'antes de ontem'],
    [{ day: 2, off: 1 }, 'depois de amanhã'],
    [{ now: true }, 'agora, agora mesmo, neste momento, já'],

    ...count(
      'num',
      2,
      'dois, duas | três | quatro | cinco | seis | sete | oito | nove | dez | onze | doze | treze | quatorze, catorze | quinze',
    ),
    ...count('num', 16, 'dezesseis, dezasseis | dezessete, dezassete | dezoito | dezenove, dezanove | vinte'),
    [{ num: 0 }, 'zero'],
    [{ num: 30 }, 'trinta'],
    [{ num: 40 }, 'quarenta'],
    [{ num: 50 }, 'cinquenta'],
    [{ num: 60 }, 'sessenta'],
    [{ num: 90 }, 'noventa'],
    [{ num: 100 }, 'cem'],
    [{ num: 1000 }, 'mil'],
    [{ num: 1, article: true, skip: true }, 'um, uma'],
    [{ num: 2 }, 'um par de'],
    [{ num: 0.5 }, 'meia'],
    ...count('ord', 1, 'primeir- | segund- | terceir- | quart- | quint- | sext- | sétim- | oitav- | non- | décim-'),
    [{ ord: 11 }, 'décimo primeiro'],
    [{ ord: 12 }, 'décimo segundo'],
    [{ ordSuffix: true }, 'o, a'],

    ...noun('second', 'segundo, seg', 'segundos'),
    ...noun('minute', 'minuto, min', 'minutos'),
    ...noun('hour', 'hora, h', 'horas', { oclock: true }),
    ...noun('day', 'dia', 'dias', { dayMark: 'any' }),
    ...noun('week', 'semana', 'semanas', { label: 'week' }),
    [{ unit: 'weekend' }, 'fim de semana, fins de semana, final de semana, finais de semana, fds, weekend'],
    [{ unit: 'weekend', span: ['weekend', 0] }, 'no fim de semana, no final de semana, o fim de semana, o final de semana'],
    ...noun('month', 'mês', 'meses'),
    ...noun('quarter', 'trimestre', 'trimestres', { label: 'quarter' }),
    [{ label: 'quarter', weak: true }, 't'],
    ...noun('half', 'semestre, metade', 'semestres', { label: 'half' }),
    ...noun('year', 'ano', 'anos', { label: 'year' }),

    [{ rel: 0 }, 'este, esta, esse, essa, deste, desta, desse, dessa, neste, nesta, nesse, nessa'],
    [{ rel: 0, post: true, pre: true }, 'atual, actual, presente'],
    [{ rel: 0, post: true }, 'corrente, em curso'],
    [{ rel: -1, post: true, pre: true }, 'últim-, passad-, anterior, anteriores, prévi-'],
    [{ rel: 1, post: true, pre: true }, 'próxim-, seguinte, seguintes'],
    [{ rel: 1, post: true }, 'que vem, que vêm, que entra, vindour-, por vir'],
    [{ rel: -1, post: true }, 'que passou'],
    [{ rel: 1, near: true }, 'este próximo, esta próxima'],
    [{ rel: -2, post: true, pre: true }, 'retrasad-, penúltim-, antepassad-'],
    [{ rel: -2, post: true }, 'antes da passada, antes do passado, antes da última, antes do último'],
    [{ rel: 2, post: true }, 'depois da próxima, depois do próximo, depois da que vem, depois do que vem'],
    [{ rel: -1, window: true }, 'na última, no último, durante a última, durante o último, ao longo do último'],
    [{ rel: 1, window: true }, 'durante a próxima, durante o próximo'],

    ...count('weekday', 1, 'segunda feira | terça feira | quarta feira | quinta feira | sexta feira | sábado, sábados | domingo, domingos'),
    ...count('weekday', 1, 'segunda | terça | quarta | quinta | sexta'),
    ...count(
      'weekday',
      1,
      'segundas, segundas feiras | terças, terças feiras | quartas, quartas feiras | quintas, quintas feiras | sextas, sextas feiras',
      { plural: true },
    ),
    ...count('weekday', 1, 'seg | ter | qua | qui | sex | sáb, sab | dom', { weak: true }),
    ...count(
      'month',
      1,
      'janeiro, jan | fevereiro, fev | março | abril, abr | maio, mai | junho, jun | julho, jul | agosto, ago | setembro, set',
    ),
    [{ month: 3, weak: true }, 'mar'],
    ...count('month', 10, 'outubro, out | novembro, nov | dezembro, dez'),

    [{ part: 'smallHours', hourly: true }, 'da madrugada, de madrugada'],
    [{ part: 'morning', hourly: true }, 'da manhã, de manhã'],
    [{ part: 'afternoon', hourly: true }, 'da tarde, de tarde'],
    [{ part: 'evening', hourly: true }, 'da noite, de noite'],
    [{ part: 'smallHours' }, 'madrugada, da madrugada, de madrugada, pela madrugada, na madrugada'],
    [{ part: 'morning' }, 'manhã, da manhã, de manhã, pela manhã, na manhã, manhã de'],
    [{ part: 'afternoon' }, 'tarde, da tarde, de tarde, pela tarde, à tarde, na tarde, tarde de'],
    [{ part: 'evening' }, 'noite, da noite, de noite, pela noite, à noite, na noite'],
    [{ hour: 12 }, 'meio dia, ao meio dia'],
    [{ hour: 24 }, 'meia noite, à meia noite'],
    [{ at: true, skip: true }, 'às, as, pelas'],
    [{ upTo: true }, 'às'],
    [{ from: true }, 'das'],
    [{ meridiem: 'am' }, 'am'],
    [{ behind: 30 }, 'e meia, e meio'],
    [{ behind: 15 }, 'e um quarto, e quinze'],
    [{ behind: -15 }, 'menos um quarto'],

    [{ lead: 1, prep: true, skip: true }, 'em'],
    [{ lead: 1 }, 'dentro de, daqui a, daqui, dali a'],
    [{ lead: -1 }, 'há, faz'],
    [{ ago: -1 }, 'atrás, antes'],
    [{ ago: 1, onset: true }, 'a partir de agora'],
    [{ ago: 1 }, 'mais tarde, depois'],
    [{ ago: 1, day: 0 }, 'a partir de hoje'],
    [{ off: 1, bound: 'after' }, 'depois de, depois do, depois da, depois das, depois dos, após'],
    [{ off: 1 }, 'a partir de, a partir do, a partir da'],
    [{ off: -1, bound: 'before' }, 'antes de, antes do, antes da, antes das, antes dos'],
    [{ bound: 'since', from: true }, 'desde, desde o, desde a'],
    [{ bound: 'onward', from: true }, 'a partir de, a partir do, a partir da, a partir das, a partir desta, a partir deste'],
    [{ bound: 'until' }, 'o mais tardar, no máximo até'],
    [{ bound: 'until', to: true }, 'até, até ao, até o, até à, até a'],
    [{ to: true }, 'a, à'],
    [{ to: true, dayMark: 'any' }, 'ao'],
    [{ from: true, of: true }, 'de, da, das, dos'],
    [{ from: true, of: true, dayMark: 'any' }, 'do'],
    [{ between: true }, 'entre'],
    [{ and: true }, 'e'],
    [{ or: true }, 'ou'],
    [{ skip: true, dayMark: 'any' }, 'o, o dia, no dia, do dia'],
    [{ skip: true, prep: true }, 'no, na, nos, nas, durante, para'],
    [{ skip: true }, 'os, todo, toda'],
    [{ about: true }, 'cerca de, aproximadamente, mais ou menos'],
    [{ soFar: true, asOf: true }, 'até agora, até hoje, até o momento, até ao momento'],
    [{ edge: 'start' }, 'início, começo, princípio, o início, o começo'],
    [{ edge: 'end' }, 'fim, final, o fim, o final'],
    [{ rest: true }, 'resto, o resto, restante'],
    [{ each: true }, 'cada, por, todos os, todas as, toda, todo'],
    [{ vague: true }, 'incluindo, incluso, inclusive, excluindo, sem'],
    [{ vague: true }, 'meados, cedo, santa, santo, exceto, que, menos de, mais de, pelo menos, no máximo, todos menos'],
    [{ spoils: true }, 'santa, santo, negra'],
    [{ sum: true }, 'por cento, euros, euro, reais, dólares, pessoas, convidados, milhões, km, quilômetros, quilos, kg, metros, graus'],
    [
      { thing: true },
      'clientes, pedidos, faturas, pontos, páginas, e mails, emails, mensagens, chamadas, reuniões, vezes, artigos, peças, unidades, lojas, lugares',
    ],
    [
      { vague: true },
      'não, não antes de, não antes da, não antes do, com exceção de, em vez de, em vez do, em vez da, ao invés de, a não ser, tudo menos, sem contar, quinzena, mais tarde',
    ],
    [{ spoils: true }, 'útil, úteis, fiscal, de carnaval, de cinzas, quinzena'],
    [{ spoils: 'unit' }, 'exercício, do exercício'],
    // A greeting is no time.
    [{}, 'boa noite, boa tarde, bom dia, boa madrugada'],
    [{ spell: true }, 'noites, tardes, manhãs, madrugadas'],
    [{ share: true }, 'parte, maior parte, grande parte, maioria'],
    [{ vague: true }, 'quase'],
    [{ unclocked: true }, 'amanhecer, anoitecer, entardecer, almoço, jantar, pequeno almoço, café da manhã, lanche, hora do almoço'],
    [
      { age: 'more', ageAlone: true },
      'mais antigo que, mais antigos que, mais antigas que, mais antigo do que, mais antigos do que, mais velho que, com mais de',
    ],
    [{ age: 'more' }, 'mais de, pelo menos'],
    [{ age: 'less', ageAlone: true }, 'mais recente que, mais recentes que'],
    [{ age: 'less' }, 'menos de, no máximo'],
    [{ age: 'within' }, 'em até, no prazo de, num prazo de'],
    [{ bound: 'onward' }, 'não antes de, não antes do, não antes da'],
    [{ third: 'mid' }, 'meados, em meados'],
    [{ workday: true }, 'dia útil, dias úteis'],
    [{ fiscal: 'end' }, 'ano fiscal, exercício fiscal'],
    [{ feast: true, vague: true }, 'natal, páscoa, carnaval, ano novo, réveillon'],
    [{ compares: true }, 'vs, versus, em relação a, em relação ao, comparado com, comparado a, compare, comparar, comparação'],
    [{ vague: true }, 'senhor, senhora'],
    [
      { alters: true },
      'talvez, provavelmente, nem, um quarto de, um quarto do, um quarto da, nunca, jamais, véspera, o mais tardar, no mínimo, menos, mais, terço',
    ],
    [
      { vague: true, alters: true },
      'pouco antes de, pouco antes do, pouco antes da, pouco depois de, pouco depois do, pouco depois da, logo depois de, logo depois do, logo depois da',
    ],
    [{ rel: 0, same: 'unit' }, 'mesm-, o mesmo, a mesma'],
    [{ same: 'period' }, 'mesmo período, o mesmo período'],
    [{ full: true }, 'complet-, inteir-'],
    [{ vague: true }, 'quadrimestre, bimestre'],
    [
      { vague: true },
      'pouco antes de, pouco antes do, pouco antes da, pouco depois de, pouco depois do, pouco depois da, pouco após, logo antes de, logo antes do, logo antes da, logo depois de, logo depois do, logo depois da, logo após, muito antes de, muito antes do, muito antes da, muito depois de, muito depois do, muito depois da, muito após, bem antes de, bem antes do, bem antes da, bem depois de, bem depois do, bem depois da, bem após',
    ],
  ],
});
