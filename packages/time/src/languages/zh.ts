import { JOINED } from '../parse/lexJoined.js';
import { count, type Beside, type Grammar, type Tense } from '../parse/word.js';
import { COMMON } from './common.js';

/** Traditional characters and their simplified forms, for the words below. */
const TRADITIONAL =
  '個个週周禮礼後后這这點点號号兩两時时鐘钟間间從从來来過过內内當当舊旧聽听尋寻晝昼開开現现為为與与節节兒儿聖圣約约頭头曆历幾几還还會会議议發发報报單单銷销訂订帳账電电數数業业員员';
const PAIRS = Array.from({ length: TRADITIONAL.length / 2 }, (_, index): readonly [string, string] => [
  TRADITIONAL.charAt(index * 2),
  TRADITIONAL.charAt(index * 2 + 1),
]);

const days = (week: string): string =>
  '一 二 三 四 五 六'
    .split(' ')
    .map((day) => week + day)
    .join('|');

const TENSE: Tense = {
  joined: true,
  past: String.raw`(?:发生|出现|发货|发出|寄出|签订?|签署|解决|创建|提交|完成|关闭|处理|上线|发布|注册|购买|下单|付款|退款|取消|收到|成交|[入离]职)的|是谁[^的]+的|了|过|過|已|曾|刚|剛`,
  future: String.raw`将|將|即将|打算|计划|計劃|预计|預計|提醒|预约|預約|预订|預訂|截止日|会在|會在|要在`,
  neither: String.raw`了解|为了|為了|除了|过去|過去|通过|通過|超过|超過|经过|經過|过期|不过|不過`,
};

const BESIDE: Beside = {
  asks: `多少 几 什么 谁 哪 怎么 怎样 如何 请 吗 呢 显示 列出 查 我 你 他 她 它 帮 告诉 了 有没有 是否 提醒 预订 预约 安排 统计 汇总 比较 对比 想 要 需要 发送 导出 下载 搜索 找
看 点`,
  neutral: `销售 卖 营收 收入 营业 订单 单 发票 账单 客户 顾客 用户 注册 会 开会 会议 约 电话 来电 报告 报表 数 结果 业绩 工单 错误 故障 问题 事故 告警 宕机 发货 送货 出货 收货 到货 交付 退货
退款 付款 支付 转账 购买 采购 订阅 流失 合同 报价 费用 成本 支出 花 利润 毛利 预算 工资 薪 房租 税 库存 产品 商品 价格 项目 任务 工作 员工 团队 办公 门店 店 网站 页 访问 访客 点击
会话 安装 旅行 出差 航班 酒店 活动 培训 备份 服务器 部署 发布 上线 更新 日志 变更 邮件 消息 文件 照片 文档 资料 天气 气温 用量 使用 消耗 性能 调查 投诉 反馈 评价 评论 增长 下降 趋势
概况 总 汇 分析 合计 平均 流量 新增 新 完成 关闭 创建 收 发 到 来 去 在 是 有 没 都 也 就 才 还 已 共 一共 所有 全部 每 各 的 公司 部门 北京 上海 提交 取消
交易 转化 活跃 截止 到期 面试 考试 课 医院 生日 聚会 和 与 跟 把 从 给 对 按 为 线 楼 区 产 们 签 解决 处理 生成 入职 离职 成交 下单 离开 开业 加班 用电 用水 日程`,
};

/** Chinese: simplified, traditional, and Cantonese words. */
export const chinese = (): Grammar => ({
  joined: JOINED,
  tense: TENSE,
  beside: BESIDE,
  same: PAIRS,
  rows: [
    ...COMMON,
    [{ day: 0 }, '今天,今日,今儿,当天,当日,这一天,这天'],
    [{ day: 1 }, '明天,明日,明儿,听日'],
    [{ day: 1, follows: true }, '翌日,第二天,次日,隔天,隔日'],
    [{ day: -1 }, '昨天,昨日,昨儿,琴日,寻日'],
    [{ day: -1, follows: true }, '前一天'],
    [{ day: 2 }, '后天,后日'],
    [{ day: -2 }, '前天,前日'],
    [{ day: 3 }, '大后天,大后日'],
    [{ day: -3 }, '大前天,大前日'],
    [{ day: 0, part: 'evening' }, '今晚,今夜'],
    [{ day: -1, part: 'evening' }, '昨晚,昨夜,琴晚,寻晚'],
    [{ day: 1, part: 'evening' }, '明晚,听晚'],
    [{ day: 0, part: 'morning' }, '今早,今朝,今晨'],
    [{ day: 1, part: 'morning' }, '明早,听朝,明晨'],
    [{ now: true }, '现在,而家,依家,此刻,目前'],

    [{ span: ['year', 0] }, '今年,本年'],
    [{ span: ['year', -1] }, '去年,旧年,上年'],
    [{ span: ['year', 1] }, '明年,来年,出年,翌年,下年'],
    [{ span: ['year', -2] }, '前年'],
    [{ span: ['year', 2] }, '后年'],
    [{ span: ['weekend', 0], unit: 'weekend' }, '周末,星期末'],
    [{ span: ['weekend', 0] }, '这周末,这个周末,本周末,呢个周末'],

    [{ rel: 0 }, '这,这个,这一,这一个,本,今,今个,当,当前,呢,呢个,该'],
    [{ rel: -1 }, '上,上个,上一,上一个,前一,前一个,最后一,最后一个,最后,刚过去的'],
    [{ rel: 1 }, '下,下个,下一,下一个,后一,后一个,接下来的一,紧接着的'],
    [{ rel: -2 }, '上上,上上个'],
    [{ rel: 2 }, '下下,下下个'],
    [{ rel: -1 }, '过去,过去的,近,最近,最近的,前,之前,此前'],
    [{ rel: 1 }, '未来,未来的,今后,接下来,接下来的,后'],

    [{ unit: 'second' }, '秒,秒钟'],
    [{ unit: 'minute' }, '分,分钟'],
    [{ unit: 'hour' }, '小时,钟头,个钟,个钟头'],
    [{ unit: 'day', daySuffix: true }, '日'],
    [{ unit: 'day' }, '天'],
    [{ daySuffix: true }, '号'],
    [{ unit: 'week' }, '周,星期,礼拜'],
    [{ unit: 'month', monthSuffix: true }, '月'],
    [{ unit: 'month' }, '个月'],
    [{ unit: 'month', monthSuffix: true }, '月份'],
    [{ unit: 'quarter' }, '季度,季,个季度'],
    [{ unit: 'year', yearSuffix: true }, '年'],
    [{ era: 1911 }, '民国,中华民国'],
    ...count('half', 1, '上半年|下半年'),
    ...count('quarter', 1, '一季度,第一季度|二季度,第二季度|三季度,第三季度|四季度,第四季度'),
    [{ measure: true }, '个'],
    [{ ordMark: true }, '第'],
    [{ ord: 1 }, '首,首个'],
    ...['周', '星期', '礼拜'].flatMap((week) => [...count('weekday', 1, days(week)), ...count('weekday', 7, `${week}日, ${week}天`)]),

    [{ part: 'smallHours' }, '凌晨'],
    [{ part: 'morning' }, '早上,早晨,上午,早,朝早,清晨,上昼'],
    [{ part: 'noonish' }, '中午,正午'],
    [{ part: 'afternoon' }, '下午,午后,晏昼,下昼'],
    [{ part: 'evening' }, '晚上,晚,夜晚,傍晚'],
    [{ part: 'night' }, '深夜,半夜,夜里'],
    [{ oclock: true }, '点,点钟,时'],
    [{ behind: 30, num: 0.5 }, '半'],
    [{ behind: 15 }, '一刻'],
    [{ behind: 45 }, '三刻'],

    [{ ago: -1, boundPost: 'before' }, '前,之前,以前'],
    [{ ago: 1, boundPost: 'after' }, '后,之后,以后'],
    [{ from: true }, '从,自,由,自从'],
    [{ bound: 'since' }, '自从'],
    [{ bound: 'either' }, '自,从'],
    [{ to: true }, '到,至'],
    [{ between: true }, '在'],
    [{ and: true }, '和,与,又,跟'],
    [{ alters: true }, '一样,差不多,左右,可能,也许,或许,大概,大约,某,几天,任意,任何,接近,前夕,的一天,的一周'],
    [{ or: true }, '或,或者,还是'],
    [{ boundPost: 'either' }, '起,开始'],
    [{ boundPost: 'since' }, '以来,至今,迄今,到现在,到目前,到目前为止,至今为止'],
    [{ boundPost: 'until' }, '为止,之间,期间'],
    [{ bound: 'until' }, '直到,截至,截止,截止到,直至'],
    [{ toDate: 'year' }, '年初至今,年初到现在,年初以来'],
    [{ toDate: 'month' }, '月初至今,月初到现在,月初以来'],
    [{ of: true }, '的,嘅'],
    [{ skip: true }, '在,于,左右'],
    [{ about: true }, '大约,约,大概,前后,上下'],
    [{ each: true }, '每,每个,每隔,逢,每月,每年,每天,每日,一月一次,一天一次,一周一次,一年一次'],
    [
      { vague: true },
      '包括,包含,不包括,不含,除了,除,除咗,不是,唔係,不要,差,头,农历,东正教,圣,沈默,超过,不到,将近,几乎,至少,最多,早于,晚于,从不,绝不',
    ],
    [{ spoils: 'unit' }, '初,底,末,年代,度,的初'],
    [
      { spoils: true },
      '以内,内,之内,世纪,以外,除外,那周,那一周,这个时候,春,夏,秋,冬,春天,夏天,秋天,冬天,春季,夏季,秋季,冬季,上半月,下半月,剩余,剩下,大部分,的一部分,的一半,相比,或之后,或之前,或以后',
    ],
    [{ thing: true }, '个,张,件,人,次,名,份,单,笔,家,位,条,台,套,场,页,封'],
    [{ sum: true }, '倍,元,块,度,米,公里,万,亿,岁'],
    // 快一点 is no one o'clock, 3号线 no third.
    [
      {},
      '号会议室,号桌,号仓,是不是,出差,删除,清除,扣除,解除,回头,码头,街头,一下,工作日志,工作日报,工作日程,日程,日志,日报,快一点,早一点,晚一点,有一点,一点点,好一点,多一点,少一点,号线,号楼,号店,号机,日留存',
    ],
    [{ unclocked: true }, '午饭,早饭,晚饭,午餐,早餐,晚餐,午休,日出,日落,黎明,黄昏'],
    [{}, '后天性,后天培养,后天努力,后天形成,前天性'],
    [{ age: 'more' }, '超过,至少'],
    [{ agePost: 'more' }, '以上,多'],
    [{ age: 'less' }, '不到'],
    [{ agePost: 'within' }, '以内,之内,内'],
    [{ thirdPost: 'early', spoils: true }, '上旬,的上旬'],
    [{ thirdPost: 'mid', spoils: true }, '中旬,的中旬'],
    [{ thirdPost: 'late', spoils: true }, '下旬,的下旬'],
    [{ thirdPost: 'early' }, '初,的初'],
    [{ thirdPost: 'late' }, '底,末,年底,月底,年末,月末,的年底,的月底'],
    [{ thirdUnit: 'month', third: 'early' }, '月初,上旬'],
    [{ thirdUnit: 'month', third: 'mid' }, '中旬'],
    [{ thirdUnit: 'month', third: 'late' }, '月底,月末,下旬'],
    [{ thirdUnit: 'year', third: 'late' }, '年底,年末'],
    [{ thirdUnit: 'year', third: 'early' }, '年初'],
    [{ workday: true }, '工作日,个工作日'],
    [{ fiscal: 'start' }, '财年,财政年度'],
    [{ feast: true, vague: true }, '春节,国庆节,国庆,中秋节,圣诞节,元旦,端午节,清明节,五一'],
    [{ compares: 'with' }, '相比,vs'],
    [{ compares: true }, '对比,比较,差异,改到,推迟,移到'],
    [{ excludes: true }, '排除,去掉,不含,不包括,忽略'],
    [{ compares: 'with' }, '比'],
    [{ rel: 0, same: 'unit' }, '同,同一,同一个'],
    [{ same: 'period' }, '同期,同一时期,同一期间'],
    [{ full: true }, '完整,整'],
  ],
});
