import { texts } from '../kit/texts.ts';

/** What the log calls the acts on an order. */
export const auditOrderCallTexts = texts({
  'log.call./order/add': ['Create an after-sales order', '新建售后工单'],
  'log.call./order/update': ['Edit an after-sales order', '修改售后工单'],
  'log.call./order/import': ['Import after-sales orders', '导入售后工单'],
  'log.call./order/export': ['Export after-sales orders', '导出售后工单'],
  'log.call./order/accept': ['Accept an after-sales order', '接受售后工单'],
  'log.call./order/assign': ['Assign an after-sales order', '指派售后工单'],
  'log.call./order/cancel': ['Cancel an after-sales order', '取消售后工单'],
  'log.call./order/receive': ['Mark an order’s terminal as received', '标记工单终端已收到'],
  'log.call./order/quote': ['Enter the diagnosis of an order', '填写工单诊断'],
  'log.call./order/approveCosts': ['Approve the costs of an order', '批准工单费用'],
  'log.call./order/declineCosts': ['Decline the costs of an order', '拒绝工单费用'],
  'log.call./order/diagnose': ['Start the repair of an order', '开始工单维修'],
  'log.call./order/refuse': ['Return an order’s terminal unrepaired', '不予维修退回工单终端'],
  'log.call./order/repaired': ['Mark an order’s terminal as repaired', '标记工单终端已修复'],
  'log.call./order/replace': ['Replace an order’s terminal', '更换工单终端'],
  'log.call./order/replacements': ['Find a replacement', '查找替换终端'],
  'log.call./order/delivered': ['Confirm the delivery of an order', '确认工单终端送达'],
  'log.call./order/ship': ['Enter the shipping of an order', '填写工单物流'],
  'log.call./order/say': ['Write a message about an order', '就工单留言'],
  'log.call./order/partners': ['Find a service partner', '查找服务商'],
  'log.call./order/engineers': ['Find an engineer', '查找工程师'],
  'log.call./order/entries': ['Read the history of an order', '查看工单进展'],
  'log.call./order/statistic': ['Read the statistics of orders', '查看工单统计'],
  'log.call./order/summary': ['Read the figures of orders', '查看工单数据'],
});
