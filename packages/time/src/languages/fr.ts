import { count, noun, pairs, type Beside, type Grammar, type Tense } from '../parse/word.js';
import { COMMON } from './common.js';

const TENSE: Tense = {
  past: String.raw`(?:ét|av)(?:ai(?:en)?[st]|ions|iez)|\p{L}{2,}ions-nous|nous \p{L}{2,}ions|fu(?:ren)?t|\p{L}{2,}[^t\P{L}]ée?s?|(?:a|ont|ai|as|avons|avez|est|sont|suis|êtes|sommes)(?:-\p{L}+|-t-\p{L}+)?(?: \p{L}+){0,2} \p{L}*(?:é|i|[uû]|it|ert)e?s?|eu lieu|(?:vend|reç|perd|rend|résol|concl|surven|obten|suspend|interromp|interven|appar|dispar|perç|él)ue?s?|(?:fourn|établ|convert|chois|réun|sub)ie?s?|(?:rep|acqu|transm|rem|ém|soum|adm)ise?s?|(?:inscr|souscr|écr|tradu|constru|détru|rédu|introdu)ite?s?|(?:off|découv)erte?s?|(?:atte|rejo)inte?s?|\p{L}{3,}aient|\p{L}{2,}[^rf\P{L}](?<!souh|pl)ait|(?:j['’]|tu )\p{L}{2,}[^r\P{L}]ais|(?:ache|trai|complé|expor|impor|contac)tée?s?`,
  future: String.raw`\p{L}+(?:era|eront|erai|erez|erons|ira|iront|irez|irons|dra|dront|vra|vront|ura|uront|rra|rront)|(?:va|vont|vais|vas|allons|allez)(?:-\p{L}+)? (?:\p{L}+ )?\p{L}+(?:er|ir|re)|prévue?s?|planifiée?s?|programmée?s?|attendue?s?|rappelle|rappelez|rappeler|réserve|réserver|réservez|à venir|échéance|doit|doivent`,
  neither: String.raw`(?:a|ont|aura|auront) lieu|(?:est|sont|êtes|sommes) (?:\p{L}+ )?(?:fermée?s?|ouverte?s?|occupée?s?|disponibles?)|située?s?|concernée?s?|employée?s?|salariée?s?|associée?s?|congés?|années?|journées?|soirées?|matinées?|données?|arrivées?|durée|entrées?|musées?|lycée|cafés?|marchés?|sociétés?|(?<!(?:est|sont|suis|a|ai|ont|avons|avez|été) )\p{L}+tés?|clés?|congés?|résumé|degrés?|procédés?|opéra|caméras?|l['’]été|cet été|un été|chiffre d['’]affaires`,
};

const BESIDE: Beside = {
  plural: String.raw`les \p{L}+`,
  asks: `que quel quelle quels quelles qui quoi qu combien comment quand où pourquoi est sont a ont avait avaient avons avez ai as
été sera seront va vont montre- affiche- donne- liste- trouve- cherche- envoie- rappelle- appelle- réserve- planifie- peux peut pouvez
veux voudrais je j me moi nous vous tu te il elle ils elles on mon ma mes notre nos votre vos ton ta tes son sa ses leur leurs y c ce s'il
dis calcule- compare- résume- fais fait`,
  places: 'en dans sur à au aux',
  prepositions: 'à au aux en dans vers avant après dès lors sur sous jusqu pendant',
  neutral: `error- session- newsletter- et mais tout tous toute toutes seulement juste aussi encore déjà ici par avec sans chez pour de d des du le la les un une ne
pas rien quelqu beaucoup merci bonjour selon vente- vendu- chiffre- ca revenu- recette- commande- factur- client- utilisateur- inscri-
rendez- rdv réunion- appel- rapport- compte- résultat- donnée- indicateur- erreur- bug- panne- alerte- livr- expédi- retour-
remboursement- paiement- payé- virement- dépense- coût- bénéfice- marge- salaire- loyer- impôt- stock- produit- article- prix projet-
tâche- employé- équipe- bureau- magasin- boutique- page- visite- clic- téléchargement- installation- résiliation-
réservation- voyage- vol- événement- formation- conférence- sauvegarde- serveur- déploiement- version- mise- journal- journaux- message-
courriel- fichier- photo- contrat- devis- météo température- consommation- utilisation- performance- enquête- plainte- réclamation- avis
croissance- baisse- hausse- bilan- synthèse- résumé- statistique- analyse- trafic- prospect- campagne- panier- transaction- connexion-
arrivé- prévu- fermé- ouvert- passé- reçu- eu lieu médecin dentiste fête- cours examen- match- colis- abonn- envoy- créé- signé- annulé-
export- import- calendrier- supplémentaires absence- candidature- affaires`,
};

/** French. */
export const french = (): Grammar => ({
  tense: TENSE,
  beside: BESIDE,
  endings: ' e s es',
  rows: [
    ...COMMON,
    [{ day: 0 }, "aujourd'hui,ce jour,le jour même,la journée,cette journée,dans la journée,de la journée"],
    [{ day: 1 }, 'demain'],
    [{ day: -1 }, 'hier'],
    [{ day: 1, follows: true }, "le lendemain,lendemain,jour suivant,jour d'après"],
    [{ day: -1, follows: true }, "la veille,jour précédent,jour d'avant"],
    [{ day: 2, off: 1 }, "après demain,d'après demain,surlendemain"],
    [{ day: -2, off: -1 }, "avant hier,avant veille,d'avant hier"],
    [{ now: true }, 'maintenant,tout de suite,en ce moment,actuellement'],

    ...count('num', 2, 'deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize'),
    ...count('num', 17, 'dix sept|dix huit|dix neuf|vingt'),
    [{ num: 0 }, 'zéro'],
    [{ num: 30 }, 'trente'],
    [{ num: 40 }, 'quarante'],
    [{ num: 50 }, 'cinquante'],
    [{ num: 60 }, 'soixante'],
    [{ num: 90 }, 'quatre vingt dix'],
    [{ num: 100 }, 'cent'],
    [{ num: 1000 }, 'mille'],
    [{ num: 1, article: true, skip: true }, 'un,une'],
    [{ num: 0.5 }, 'une demi,demi'],
    ...count('ord', 1, 'premier,première,premiers,premières|deuxième,second,seconde|troisième|quatrième|cinquième|sixième'),
    ...count('ord', 7, 'septième|huitième|neuvième|dixième|onzième|douzième'),
    [{ ordSuffix: true }, 'er,ère,re,e,ème,ième,nd,nde'],

    ...noun('second', 'seconde,sec', 'secondes'),
    ...noun('minute', 'minute,min,mn', 'minutes'),
    ...noun('hour', 'heure,h', 'heures', { oclock: true }),
    ...noun('day', 'jour', 'jours'),
    ...noun('week', 'semaine', 'semaines', { label: 'week' }),
    [{ unit: 'weekend' }, 'week end,weekend,week ends,weekends,fin de semaine,we'],
    [
      { unit: 'weekend', span: ['weekend', 0] },
      'au week end,au weekend,le week end,le weekend,du week end,du weekend,ce week end,ce weekend',
    ],
    [{ unit: 'week', span: ['week', 0] }, 'dans la semaine'],
    [{ unit: 'month' }, 'mois'],
    [{ unit: 'month', span: ['month', 0] }, 'dans le mois'],
    ...noun('quarter', 'trimestre', 'trimestres', { label: 'quarter' }),
    [{ label: 'quarter', weak: true }, 't'],
    ...noun('half', 'semestre,moitié', 'semestres', { label: 'half' }),
    [{ label: 'half', weak: true }, 's'],
    ...noun('year', 'an,année', 'ans,années', { label: 'year' }),

    [{ rel: 0 }, 'ce,cet,cette,ces'],
    [{ rel: 0, post: true }, 'en cours,courant-,actuel-,actuelle,actuelles,présent-,ci'],
    [{ rel: -1, post: true, pre: true }, 'dernier,dernière,derniers,dernières,précédent-'],
    [{ rel: -1, post: true }, "passé-,écoulé-,d'avant"],
    [{ rel: 1, post: true, pre: true }, 'prochain-'],
    [{ rel: 1, post: true, follows: true }, 'suivant-'],
    [{ rel: 1, post: true }, "à venir,qui vient,qui suit,d'après"],
    [{ rel: -2, post: true, pre: true }, 'avant dernier,avant dernière,avant derniers,avant dernières'],
    [{ rel: -2, post: true }, 'avant la dernière,avant le dernier'],
    [{ rel: 2, post: true }, 'après la prochaine,après le prochain'],
    [
      { rel: -1, window: true },
      'au cours de la dernière,au cours du dernier,au cours des derniers,au cours des dernières,dans la dernière',
    ],
    [
      { rel: -1, window: true },
      'durant la dernière,durant le dernier,pendant la dernière,pendant le dernier,dans le dernier,sur le dernier',
    ],
    [{ rel: 1, window: true }, 'au cours de la prochaine,au cours du prochain,dans la prochaine,dans le prochain'],

    ...count('weekday', 1, 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche'),
    ...count('weekday', 1, 'lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches', { plural: true }),
    ...count('weekday', 1, 'lun|mar|mer|jeu|ven|sam|dim', { weak: true }),
    ...count(
      'month',
      1,
      'janvier,janv,jan|février,févr,fév|mars|avril,avr|mai|juin|juillet,juil,jul|août|septembre,sept,sep',
    ),
    ...count('month', 10, 'octobre,oct|novembre,nov|décembre,déc'),

    [{ part: 'morning', hourly: true }, 'du matin,du mat'],
    [{ part: 'afternoon', hourly: true }, "de l'après midi"],
    [{ part: 'evening', hourly: true }, 'du soir'],
    [{ part: 'morning' }, 'matin,matinée,le matin,au matin,dans la matinée,mat'],
    [{ part: 'afternoon' }, 'après midi,aprem'],
    [{ part: 'evening' }, 'soir,soirée,le soir,au soir'],
    [{ part: 'night' }, 'nuit,la nuit'],
    [{ day: 0, part: 'afternoon' }, 'cet après midi'],
    [{ hour: 12 }, 'midi'],
    [{ hour: 24 }, 'minuit'],
    [{ at: true, to: true }, 'a'],
    [{ at: true, skip: true }, 'vers'],
    [{ meridiem: 'am' }, 'am'],
    [{ behind: 30 }, 'et demie,et demi'],
    [{ behind: 15 }, 'et quart,un quart'],
    [{ behind: -15 }, 'moins le quart,moins quart'],

    [{ lead: 1, prep: true, skip: true }, 'dans'],
    [{ lead: -1 }, 'il y a,y a,voici,voilà,cela fait,ça fait'],
    [{ ago: -1 }, 'plus tôt,auparavant'],
    [{ ago: 1 }, 'plus tard'],
    [{ ago: 1, onset: true }, 'à partir de maintenant,désormais'],
    [{ ago: 1, day: 0 }, "à partir d'aujourd'hui,dès aujourd'hui"],
    [{ off: 1, bound: 'after' }, 'après'],
    [{ off: -1, bound: 'before' }, 'avant,antérieurs au,antérieures au'],
    [{ bound: 'since' }, 'depuis'],
    [{ bound: 'onward', from: true }, "à partir de,à partir du,à partir d',à compter de,à compter du,à compter d'"],
    [{ bound: 'until' }, "au plus tard,au plus tard le,d'ici,d'ici à,d'ici au"],
    [{ bound: 'until', to: true }, "jusqu'à,jusqu'au,jusqu'en,jusqu'aux,jusque"],
    [{ to: true, dayMark: 'any' }, 'au'],
    [{ to: true }, 'aux,à la'],
    [{ from: true, of: true, dayMark: 'any' }, 'du'],
    [{ from: true, of: true }, 'de'],
    [{ between: true }, 'entre'],
    [{ and: true }, 'et'],
    [{ or: true }, 'ou'],
    [{ of: true }, 'd,des'],
    [{ skip: true, dayMark: 'any', recurs: true }, 'le'],
    [{ skip: true, prep: true }, 'en,pour,durant,pendant,lors,sur,au mois de,au cours de'],
    [{ skip: true }, 'la,les,l,tout,toute'],
    [{ about: true }, 'environ,à peu près,à environ,autour,aux environs,aux alentours'],
    [{ skip: true }, 'exactement'],
    [{ soFar: true, asOf: true }, "jusqu'ici,jusqu'à présent,jusqu'à maintenant,jusqu'à ce jour,jusqu'à aujourd'hui,à ce jour"],
    [{ toDate: 'year' }, "cumul annuel,cumul de l'année,en cumul annuel"],
    [{ toDate: 'month' }, 'cumul mensuel,cumul du mois'],
    [{ edge: 'start' }, 'début,le début,commencement'],
    [{ edge: 'end' }, 'fin,la fin'],
    [{ rest: true }, 'reste,le reste,plus tard'],
    [{ earlier: true }, 'plus tôt'],
    [{ each: true }, "chaque,par,tous les,toutes les,n'importe quel,n'importe quelle"],
    [
      { vague: true },
      "y compris,incluant,excluant,excepté,hors,sans,quinzaine,milieu,mi,tôt,tard,d'ici,saint,sainte,sauf,orthodoxe,que,plus de,moins de,au moins,au plus,tout sauf,finissant,commençant,pas avant,pas après,hormis,à part,sans compter,à l'exception de,à l'exception du,au lieu de,au lieu d',plutôt que,mais pas,plus tard dans,la même époque,à la même date,à la même époque,même époque,presque,près de,au plus tôt,monsieur,madame,mme,planète",
    ],
    [{ rel: 0, same: 'unit' }, 'même,la même,le même'],
    [{ same: 'period' }, 'même période,la même période'],
    [{ full: true }, 'complet,complets,complète,complètes,entiers,entières'],
    [
      { spoils: true },
      'saint,sainte,noir,en huit,en quinze,en 8,en 15,ouvrable,ouvrables,ouvré,ouvrés,fiscal,fiscale,gras,de pentecôte,courant,hors week end,à la même époque',
    ],
    [
      { sum: true },
      'pour cent,pourcent,pourcents,reprises,euro,euros,dollars,francs,personnes,invités,millions,millième,km,kilomètres,kilos,kg,mètres,degrés,clients',
    ],
    [{ thing: true }, 'points,rendez vous,places,fois,billets,pièces,unités'],
    [{ vague: true, lone: true }, 'pas'],
    [{ alters: true }, 'surtout pas,plutôt pas'],
    [{}, 'du jour au lendemain'],
    [{ spoils: 'unit' }, "exercice,de l'exercice"],
    // A greeting is no time.
    [{}, 'bonne soirée,bonne nuit,bonne journée,bon après midi'],
    [{ spell: true }, 'nuits,soirs,soirées,matins,matinées,après midis,heures de bureau,heures ouvrées'],
    [{ inclusive: true, vague: true }, 'inclus,incluse,compris'],
    [{ share: true }, 'la plupart,une partie,en partie,partie de,partie du,majeure partie,majorité'],
    [{ unclocked: true }, 'déjeuner,dîner,petit déjeuner,aube,crépuscule,lever du soleil,coucher du soleil,goûter,repas'],
    [
      { age: 'more', ageAlone: true },
      "plus vieux que,plus vieux de,plus ancien que,plus anciens que,plus anciennes que,datant de plus de,datant de plus d',vieux de plus de",
    ],
    [{ age: 'more' }, "plus de,plus d',au moins"],
    [{ age: 'less', ageAlone: true }, 'plus récent que,plus récents que,datant de moins de'],
    [{ age: 'less' }, "moins de,moins d',au plus"],
    [{ age: 'within' }, "d'ici,sous,dans un délai de"],
    [{ bound: 'onward' }, 'au plus tôt,au plus tôt le,pas avant,dès'],
    [{ third: 'mid' }, 'mi,milieu,milieu de,milieu du'],
    [{ workday: true }, 'jour ouvrable,jours ouvrables,jour ouvré,jours ouvrés'],
    [{ fiscal: 'end' }, 'exercice fiscal,année fiscale'],
    [{ feast: true, vague: true }, 'noël,pâques,lundi de pâques,pentecôte,toussaint,ascension,jour de l an,nouvel an'],
    [
      { compares: 'with' },
      "vs,versus,contre,mieux que,mieux qu',pire que,pire qu',par rapport,comparée,comparés,en comparaison,en comparaison avec,face,contrairement,à la différence",
    ],
    [{ compares: true }, 'compare,comparer,comparez,comparaison,différence,déplac-,déplacer,report-,reporter,décal-,décaler'],
    [{ excludes: true }, 'sauf celles,sauf ceux,exclure,exclus,excluez,excluant,ignor-,ignorer'],
    [{ excludes: 'article' }, 'sauf,tout sauf,sans,hormis,excepté,pas'],
    [
      { alters: true },
      "exclu,exclus,plus que,plus qu',moins que,moins qu',autant que,autant qu',peut-être,sans doute,probablement,ni,à peine,un quart de,un quart du,un jour sur deux,une semaine sur deux,un mois sur deux,jamais,veille,lendemain,au plus tôt,au plus tard,moins,plus,plus tard,plus tôt,tiers",
    ],
    [{ vague: true, alters: true }, pairs('peu,juste,bien,longtemps,directement', 'avant,après')],
    [{}, 'champ de mars'],
  ],
});
