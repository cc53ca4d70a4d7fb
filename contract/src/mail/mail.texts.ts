import { texts } from '../kit/texts.ts';

/** What people get by mail or on their telephone: `mail.<template>.subject` and `.body`; `.sms` where it goes there too. */
export const mailTexts = texts({
  'life.mail.waiting': ['Waiting', '等待发送'],
  'life.mail.sending': ['Being sent', '发送中'],
  'life.mail.sent': ['Sent', '已发送'],
  'life.mail.failed': ['Failed', '发送失败'],
  'life.mail.kept': ['Kept here', '仅保存'],
  'event.mail.resend': ['Send again', '重新发送'],
  'mail.foot': ['{brand} sent this by itself; answers are not read.', '此邮件由 {brand} 自动发送，请勿回复。'],
  'mail.message.subject': ['{brand}: {title}', '{brand}：{title}'],
  'mail.message.body': ['{text}', '{text}'],
  'mail.test.subject': ['{brand}: a test', '{brand}：测试邮件'],
  'mail.test.body': ['Mail from {brand} reaches you.', '{brand} 的邮件可以正常送达。'],
  'mail.loginCode.subject': ['{brand}: your code to sign in', '{brand}：登录验证码'],
  'mail.loginCode.body': [
    'Somebody, probably you, wants to sign in to {brand} with this address. The code is\n\n{code}\n\nIt works once, for {minutes} minutes. Nobody of ours will ask you for it. If it was not you, ignore this message.',
    '有人（可能是您本人）正在使用此邮箱登录 {brand}。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次，请勿告知他人。如非本人操作，请忽略此邮件。',
  ],
  'mail.resetCode.subject': ['{brand}: your code for a new password', '{brand}：重置密码验证码'],
  'mail.resetCode.body': [
    'Somebody, probably you, wants a new password for {account}. The code is\n\n{code}\n\nIt works once, for {minutes} minutes. If it was not you, ignore this message: your password stays as it is.',
    '有人（可能是您本人）正在重置账号 {account} 的密码。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次。如非本人操作，请忽略此邮件，您的密码不会改变。',
  ],
  'mail.passwordChanged.subject': ['{brand}: your password was changed', '{brand}：密码已修改'],
  'mail.passwordChanged.body': [
    'The password of {account} was changed on {at} from the address {ip}. All other sessions have ended. If it was not you, ask your administrator at once.',
    '账号 {account} 的密码已于 {at} 从地址 {ip} 修改，其他会话均已结束。如非本人操作，请立即联系管理员。',
  ],
  'mail.contactChanged.subject': ['{brand}: you can be reached elsewhere now', '{brand}：联系方式已更改'],
  'mail.contactChanged.body': [
    'From the address {ip}, {to} was bound to the account {account}. If it was not you, ask your administrator at once.',
    '已从地址 {ip} 将 {to} 绑定到账号 {account}。如非本人操作，请立即联系管理员。',
  ],
  'mail.bindCode.subject': ['{brand}: confirm this address', '{brand}：确认邮箱'],
  'mail.bindCode.body': [
    '{account} wants to use this address at {brand}. The code that confirms it is\n\n{code}\n\nIt works once, for {minutes} minutes.',
    '账号 {account} 申请在 {brand} 使用此邮箱。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次。',
  ],
  'mail.bindCode.sms': [
    '{brand}: {code} confirms this number. It works for {minutes} minutes.',
    '{brand}：验证码 {code}，用于确认手机号，{minutes} 分钟内有效。',
  ],
  'mail.locked.subject': ['{brand}: your account is locked', '{brand}：账号已锁定'],
  'mail.locked.body': [
    'There were too many wrong tries to sign in as {account}, the last from the address {ip}. The account is locked until {until}. An administrator can unlock it sooner.',
    '账号 {account} 登录错误次数过多，最后一次来自地址 {ip}。账号已锁定至 {until}，管理员可提前解锁。',
  ],
  'mail.oneTimePassword.subject': ['{brand}: your account', '{brand}：您的账号'],
  'mail.oneTimePassword.body': [
    'Your account at {brand} is {account}. The one-time password is\n\n{password}\n\nAt the first sign-in you choose one of your own.',
    '您在 {brand} 的账号为 {account}。一次性密码为\n\n{password}\n\n首次登录时请设置您自己的密码。',
  ],
  'mail.invite.subject': ['{brand}: {by} invites you', '{brand}：{by} 邀请您加入'],
  'mail.invite.body': [
    '{by} invites you to join {org} at {brand}. Open this link to register:\n\n{link}\n\nIt works once, until {until}. If you don’t know who that is, ignore this message.',
    '{by} 邀请您加入 {brand} 的 {org}。请打开以下链接注册：\n\n{link}\n\n链接仅能使用一次，有效期至 {until}。如不认识邀请人，请忽略此邮件。',
  ],
  'mail.joinApproved.subject': ['{brand}: you are in', '{brand}：加入申请已通过'],
  'mail.joinApproved.body': ['{account} can sign in for {org} from now on.', '账号 {account} 已加入 {org}，现在即可登录。'],
  'mail.joinRefused.subject': ['{brand}: you were not let in', '{brand}：加入申请未通过'],
  'mail.joinRefused.body': ['{org} has refused to let {account} join: {reason}', '{org} 未通过账号 {account} 的加入申请：{reason}'],
  'mail.orgApproved.subject': ['{brand}: {org} is approved', '{brand}：{org} 已通过审核'],
  'mail.orgApproved.body': ['{org} is approved. You can sign in from now on.', '{org} 已通过审核，现在即可登录。'],
  'mail.orgRefused.subject': ['{brand}: {org} was refused', '{brand}：{org} 未通过审核'],
  'mail.orgRefused.body': [
    '{org} was refused: {reason}\n\nSign in to change what you handed in, or to withdraw it.',
    '{org} 未通过审核：{reason}\n\n您可以登录后修改并重新提交，或撤回申请。',
  ],
});
