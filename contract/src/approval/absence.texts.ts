import { texts } from '../kit/texts.ts';

/** Absences of approvers, and who decides meanwhile. */
export const absenceTexts = texts({
  'absence.title': ['Absence', '请假与代理'],
  'absence.about': [
    'While you are away, a colleague who approves as you do is asked instead of you, and decides on your behalf. Links that were e-mailed to you don’t decide meanwhile.',
    '您离开期间，系统改为通知与您审批角色相同的同事，由其代您审批；发送给您的邮件链接在此期间不能审批。',
  ],
  'absence.card': [
    'Choose who approves releases and reviews apps on your behalf while you are away.',
    '设置您离开期间由谁代为审批任务、审核应用。',
  ],
  'absence.open': ['Manage absences', '管理请假与代理'],
  'absence.own': ['Your absences', '您的请假'],
  'absence.none': ['No absence planned', '暂无请假'],
  'absence.standsInFor': ['You are the delegate of', '您代理的人员'],
  'absence.delegateIs': ['Delegate: {name}', '代理人：{name}'],
  'absence.times': ['{from} – {until}', '{from} 至 {until}'],
  'absence.state.planned': ['Planned', '未开始'],
  'absence.state.active': ['Active', '进行中'],
  'absence.notWorking': [
    'The delegate can’t decide: they have lost the role, were disabled or are away. You are asked yourself.',
    '代理人目前无法审批（已失去角色、被停用或本人请假），仍会通知您本人。',
  ],
  'absence.noRole': [
    'You approve no releases and review no apps, so you need no delegate.',
    '您不审批任务，也不审核应用，无需设置代理人。',
  ],
  'absence.noDelegates': ['No one else in your organisation approves as you do.', '您的机构中没有与您审批角色相同的人员。'],
  'absence.add': ['Add absence', '新增请假'],
  'absence.delegateId': ['Delegate', '代理人'],
  'absence.delegateId.help': [
    'Someone in your organisation with your approving role, or who reviews apps as you do. No one decides on what they submitted themselves.',
    '本机构内与您审批角色相同、或同样审核应用的人员；任何人都不能审批自己提交的内容。',
  ],
  'absence.fromAt': ['From', '开始时间'],
  'absence.untilAt': ['Until', '结束时间'],
  'absence.added': ['Absence saved. {name} was told.', '已保存，并已通知 {name}。'],
  'absence.end': ['End absence', '结束请假'],
  'absence.end.about': ['You decide yourself again from now on. {name} is notified.', '从现在起由您本人审批，并通知 {name}。'],
  'absence.ended': ['Absence ended', '请假已结束'],
  'approval.onBehalf': ['{name} on behalf of {absent}', '{name}（代 {absent}）'],
  'approval.standsInFor': ['You decide on behalf of {absent}, who is away.', '{absent} 请假中，由您代为审批。'],
  'fault.ABSENCE_TIMES': [
    'The absence must end after it begins and after now, and last a year at most.',
    '结束时间须晚于开始时间和当前时间，且最长一年。',
  ],
  'fault.ABSENCE_OVERLAPS': ['You have another absence at that time.', '该时间段内您已有其他请假。'],
  'fault.ABSENCE_LIMIT': ['You have planned 20 absences already. End one first.', '已有 20 个请假计划，请先结束其中一个。'],
  'fault.DELEGATE_ROLE': [
    'Choose another person of your organisation who approves as you do.',
    '请选择本机构内与您审批角色相同的其他人员。',
  ],
  'fault.DELEGATE_AWAY': ['That person is away at that time too. Choose someone else.', '该人员在此期间也请假，请选择其他人。'],
});
