import { JOINED } from '../parse/lexJoined.js';
import { count, type Beside, type Grammar, type Tense, type Row } from '../parse/word.js';
import { COMMON } from './common.js';

/** Katakana are read as hiragana: キノウ is きのう. */
const KANA = Array.from({ length: 86 }, (_, index): readonly [string, string] => [
  String.fromCharCode(0x30a1 + index),
  String.fromCharCode(0x3041 + index),
]);
const KANA_MONTHS = 'いち|に|さん|し|ご|ろく|しち|はち|く|じゅう|じゅういち|じゅうに';
const KANA_DAYS = 'げつ|か|すい|もく|きん|ど|にち';
const each = (forms: string, make: (form: string) => string): string => forms.split('|').map(make).join('|');
const weekdays: Row[] = [
  ...count(
    'weekday',
    1,
    each('月|火|水|木|金|土|日', (day) => `${day}曜日, ${day}曜, (${day})`),
  ),
  ...count(
    'weekday',
    1,
    each(KANA_DAYS, (day) => `${day}ようび, ${day}よう`),
  ),
];

const TENSE: Tense = {
  joined: true,
  past: String.raw`ました|でした|だった|かった|(?<!あ)した(?![いくら])|った(?!ら)|[いきんえけせてねべめれげぜりみちびぎじ]た(?=[のかがこねよらをはもとでに、。?？!！\s|]|$|[^ぁ-ん])|んだ(?=[のかがはねよ、。?？\s|]|$|[^ぁ-ん])|済み`,
  future: String.raw`予定|でしょう|だろう|つもり|見込み|締め切り|締切|期限|予約|リマインド|しよう`,
  neither: String.raw`あした|また|まだ|いただ|ください|下さい|みたい|したい|たい`,
};

const BESIDE: Beside = {
  asks: `教えて 見せて 表示 下さい ください くれ ですか ますか でしたか ましたか 何 誰 だれ どこ いくら いくつ どの どれ どう いつ なぜ あった ある いた いる しました した たか リスト 一覧 送って
探して 検索 まとめて 調べて 知りたい 確認 集計 比べて 予約 リマインド 思い出`,
  neutral: `まとめ s r h t m 売 注文 受注 発注 請求 顧客 客 ユーザー 利用 登録 議 会 ミーティング 打ち合わせ 打合せ アポ 電話 報告 レポート 数 結果 データ 実績 業績 件 チケット エラー 障害 不具合
バグ アラート 停止 出荷 配送 配達 発送 届 返品 返金 支払 入金 出金 振込 購入 購買 解約 契約 見積 売れ 費用 経費 コスト 支出 収入 収益 利益 粗利 予算 給 家賃 税 在庫 商品 製品 価格
プロジェクト 案件 仕事 作業 タスク 社員 従業員 チーム オフィス 店 サイト ページ 訪問 アクセス クリック セッション ダウンロード インストール 旅行 出張 フライト ホテル イベント 研修 セミナー
バックアップ サーバ デプロイ リリース ビルド 更新 ログ メール メッセージ ファイル 写真 文書 書類 資料 天気 気温 使用 消費 性能 アンケート 苦情 問い合わせ 問合 評価 レビュー 成長 減少 増加 推移
概要 統計 分析 合計 平均 トラフィック キャンペーン 開催 来た 来る 行 作 送 受け 受信 返信 完了 終了 公開 変更 追加 削除 申請 申込 承認 新規 全 私 彼 社 本社 支店 東京 大阪 お客 、 。
締切 締め切り 期限 予定 納期 試験 授業 病院 歯医者 誕生 飲み会 面接 面談 だけ 分の 分 中に 中の に は を が も へ で です だ  だった か その そ 残業 勤怠 電力`,
};

/** Japanese, in kanji and in kana. */
export const japanese = (): Grammar => ({
  joined: JOINED,
  tense: TENSE,
  beside: BESIDE,
  same: [...KANA, ['々', '々'], ['週', '週']],
  rows: [
    ...COMMON,
    [{ day: 0 }, '今日,本日,当日,この日,その日,きょう,ほんじつ,今日一日,今日1日,きょういちにち'],
    [{ day: 1 }, '明日,あした,あす,みょうにち'],
    [{ day: 1, follows: true }, '翌日,次の日,明くる日,あくる日,よくじつ'],
    [{ day: -1 }, '昨日,きのう,さくじつ'],
    [{ day: -1, follows: true }, '前日,前の日,ぜんじつ'],
    [{ day: 2 }, '明後日,あさって,みょうごにち'],
    [{ day: 2, follows: true }, '翌々日'],
    [{ day: -2 }, '一昨日,おととい,おとつい,いっさくじつ'],
    [{ day: -2, follows: true }, '前々日'],
    [{ day: 3 }, '明々後日,明明後日,しあさって'],
    [{ day: -3 }, '一昨々日,一昨昨日,さきおととい'],
    [{ day: 0, part: 'morning' }, '今朝,けさ'],
    [{ day: 0, part: 'evening' }, '今夜,今晩,こんや,こんばん'],
    [{ day: -1, part: 'evening' }, '昨夜,昨晩,ゆうべ,さくや,さくばん'],
    [{ day: 1, part: 'morning' }, '明朝'],
    [{ day: 1, part: 'evening' }, '明晩'],
    [{ now: true, weak: true }, '今'],
    [{ now: true }, '現在,今すぐ,只今,ただいま'],

    ...(['week', 'month', 'quarter', 'year'] as const).flatMap((unit, index): Row[] => {
      const name = ['しゅう', 'げつ', 'しはんき', 'ねん'][index] ?? '';
      const forms = (prefixes: string): string =>
        prefixes
          .split(' ')
          .map((prefix) => prefix + name)
          .join();
      return [
        [{ span: [unit, 0] }, forms('こん とう ほん')],
        [{ span: [unit, -1] }, forms('せん ぜん さく')],
        [{ span: [unit, 1] }, forms('らい よく じ')],
        [{ span: [unit, -2] }, forms('せんせん')],
        [{ span: [unit, 2] }, forms('さらい')],
      ];
    }),
    [{ span: ['year', 0] }, '今年,ことし'],
    [{ span: ['year', -1] }, '去年,昨年,きょねん'],
    [{ span: ['year', 1] }, '来年,明年,みょうねん'],
    [{ span: ['year', 2] }, '再来年'],
    [{ span: ['year', -2] }, '一昨年,おととし,いっさくねん'],
    [{ span: ['half', -1] }, '前の半年'],
    [{ span: ['half', 1] }, '次の半年'],
    [{ span: ['weekend', 0], unit: 'weekend' }, '週末,しゅうまつ'],
    [{ span: ['weekend', 0] }, '今週末,今週の週末,今度の週末,こんしゅうまつ'],
    [{ span: ['weekend', -1] }, '先週末,先週の週末'],
    [{ span: ['weekend', 1] }, '来週末,来週の週末'],

    [{ rel: 0, rolls: -1 }, 'この'],
    [{ rel: 0 }, '今,当,本,現,現行,現在の,現在,今の,今回の'],
    [{ rel: -1 }, '前,先,昨,先の,直前の,前回の,この前の,過ぎた,最後の'],
    [{ rel: 1 }, '来,次,次回の,来る,今度の'],
    [{ rel: 1, follows: true }, '翌,翌の'],
    [{ rel: -2 }, '先々,先先,前々,前前'],
    [{ rel: 2 }, '再来,翌々,再々来'],
    [{ rel: -1 }, '過去,直近,直近の,過去の,ここ,前の,最近の'],
    [{ rel: 1 }, '今後,今後の,これから,これからの,向こう,次の,この先'],

    [{ unit: 'second' }, '秒,秒間,びょう'],
    [{ unit: 'minute' }, '分,分間,ふん,ぷん'],
    [{ unit: 'hour' }, '時間,じかん'],
    [{ unit: 'day', daySuffix: true }, '日,にち'],
    [{ unit: 'day' }, '日間,にちかん'],
    [{ unit: 'week' }, '週,週間,しゅう,しゅうかん'],
    [{ unit: 'month', monthSuffix: true }, '月,がつ'],
    [{ unit: 'month' }, 'カ月,ケ月,箇月,ヵ月,ゖ月,ヶ月間,カ月間,かげつ'],
    [{ unit: 'quarter' }, '四半期,しはんき,クォーター,クオーター'],
    [{ unit: 'half' }, '半期'],
    [{ unit: 'year', yearSuffix: true }, '年,ねん'],
    [{ unit: 'year' }, '年間,か年,ヶ年'],
    ...count('half', 1, '前半,上半期,上期,の前半|後半,下半期,下期,の後半'),
    [{ ordMark: true }, '第'],
    [{ ord: 1 }, '最初の,元'],
    ...count('num', 1, 'いち,ひと|ふた|みっ|よん|ご|ろく|なな|はち|きゅう|じゅう'),
    ...count(
      'month',
      1,
      each(KANA_MONTHS, (name) => `${name}がつ`),
    ),
    ...weekdays,
    [{ era: 2018 }, '令和,れいわ'],
    [{ era: 1988 }, '平成,へいせい'],
    [{ era: 1925 }, '昭和,しょうわ'],
    [{ era: 1911 }, '大正,たいしょう'],
    [{ era: 1867 }, '明治,めいじ'],

    [{ part: 'smallHours' }, '未明'],
    [{ part: 'morning' }, '朝,早朝,午前中,午前,あさ,ごぜん'],
    [{ part: 'afternoon' }, '午後,昼,昼間,ごご'],
    [{ part: 'evening' }, '夕方,晩,夜,よる,ばん'],
    [{ part: 'night' }, '深夜,夜中'],
    [{ hour: 12 }, '正午'],
    [{ oclock: true }, '時,じ'],
    [{ behind: 30, num: 0.5 }, '半'],
    [{ behind: 0 }, 'ちょうど'],

    [{ ago: -1 }, '前,まえ'],
    [{ ago: 1 }, '後,ご,のち,先,あと'],
    [{ ago: 1, weak: true, skip: true }, 'で'],
    [{ boundPost: 'either', to: true }, 'から,以降,より'],
    [{ boundPost: 'since' }, '以来'],
    [{ boundPost: 'until' }, 'まで,までに,までの間,にかけて,いっぱい,末まで'],
    [{ boundPost: 'before' }, '以前,より前,よりも前,より以前'],
    [{ about: true }, '約,およそ,前後,付近'],
    [{ about: true, skip: true }, 'ごろ,頃'],
    [{ soFar: true }, 'これまで,今まで,現在まで'],
    [{ toDate: 'year' }, '年初来,年初から,年初から今まで,今年に入って,今年に入ってから'],
    [{ toDate: 'month' }, '月初来,月初から,今月に入って,今月に入ってから'],
    [{ of: true }, 'の'],
    [{ and: true }, 'と'],
    [{ or: true }, 'か,または,もしくは,あるいは'],
    [{ skip: true }, 'に,は,には,も,を,が,では,の間,の間に,今から,いまから'],
    [{ each: true }, '毎,毎週,毎月,毎年,毎日,各'],
    [{ vague: true }, '先日,来日,最近,一日中,最終,平日,を含む,ほぼ,もうすぐ,そろそろ'],
    [{ spoils: 'unit' }, '初め,はじめ,始め,初頭,頭,末,終わり,終わりごろ,代,度,の初め,のはじめ,の始め,の終わり,の終わりごろ'],
    [
      { spoils: true },
      '以内,以内に,ごと,の残り,未満,以上,世紀,以外,この後,この先,これから,を除く,ではなく,じゃなく,今頃,ほど前,くらい前,ぐらい前,のある,春,夏,秋,冬,の大半,の一部,のほとんど,じゃない,でない,ではない,の前,の後,のあと,比,と比べ,と比べて,に比べて,の平日,それ以降,それ以前,かそれ以降,かそれ以前',
    ],
    [{ sum: true }, '倍,あたり,当たり,平均,連続,おき,勤務,目,ぶり'],
    [{ thing: true }, '件,人,円,個,回,枚,名,本,台,社,点,度,万,億,歳,冊,通,店'],
    [{}, '四日市,三日月,八日市'],
    [{ unclocked: true }, '昼食,朝食,夕食,ランチ,ランチタイム,日の出,日没,夜明け,昼休み,の昼休み'],
    [{}, '日曜大工,日曜画家,日曜版,日曜学校'],
    [{ agePost: 'more' }, '以上'],
    [{ agePost: 'more', ageAlone: true }, 'より古い,より前,以上前,以上経った,以上経過した'],
    [{ agePost: 'less', ageAlone: true }, 'より新しい'],
    [{ agePost: 'within' }, '以内,以内に'],
    [{ thirdPost: 'early', spoils: true }, '上旬,の上旬'],
    [{ thirdPost: 'mid', spoils: true }, '中旬,の中旬,半ば,の半ば,中頃,中ごろ'],
    [{ thirdPost: 'late', spoils: true }, '下旬,の下旬'],
    [{ thirdPost: 'early' }, '初め,はじめ,始め,初頭,頭,の初め,のはじめ,の始め'],
    [{ thirdPost: 'late' }, '末,終わり,の終わり,の年末,の月末'],
    [{ thirdUnit: 'month', third: 'early' }, '上旬'],
    [{ thirdUnit: 'month', third: 'mid' }, '中旬'],
    [{ thirdUnit: 'month', third: 'late' }, '月末,下旬'],
    [{ thirdUnit: 'month', third: 'early' }, '月初,月初め'],
    [{ thirdUnit: 'year', third: 'late' }, '年末'],
    [{ thirdUnit: 'year', third: 'early' }, '年初,年始'],
    [{ workday: true }, '営業日'],
    [{ fiscal: 'start' }, '年度,会計年度'],
    [{ feast: true, vague: true }, 'クリスマス,正月,お正月,お盆,ゴールデンウィーク,大晦日,元日'],
    [{ compares: 'with' }, 'と比べて,vs'],
    [{ compares: true }, '比較,比べ,対比,違い,変更,ずらし,延期'],
    [{ excludes: 'behind' }, '以外,除く,除いて,除外,抜き'],
    [{}, '一時停止,一時的,一時保存,三日坊主,3日坊主,一日一善,今日子,金曜ロードショー,土曜ワイド'],
    [{ rel: 0, same: 'unit' }, '同じ,同'],
    [{ same: 'period' }, '同期,同じ期間,同期間'],
    [
      { alters: true },
      '除いて,除き,遅くとも,早くても,早くとも,みたい,たぶん,おそらく,どこか,いつか,どれか,いずれか,数日,近く,明け,何日か,直前,直後',
    ],
  ],
});
