import { texts } from '../kit/texts.ts';

/** What people get by e-mail or on their telephone: `mail.<template>.subject` and `.body`; `.sms` where it goes there too. */
export const mailTexts = texts({
  'life.mail.waiting': ['Waiting', '等待发送'],
  'life.mail.sending': ['Sending', '发送中'],
  'life.mail.sent': ['Sent', '已发送'],
  'life.mail.failed': ['Failed', '发送失败'],
  'life.mail.kept': ['Not sent, kept here', '仅保存'],
  'event.mail.resend': ['Resend', '重新发送'],
  'mail.reason.auth': ['The mail server refused the sign-in', '邮件服务器拒绝登录'],
  'mail.reason.address': ['The mail server refused the sender or the recipient', '邮件服务器拒绝了发件人或收件人'],
  'mail.reason.message': ['The mail server refused the message', '邮件服务器拒绝了该邮件'],
  'mail.reason.protocol': ['The server that answered isn’t a mail server', '应答方不是邮件服务器'],
  'mail.reason.tls': ['No secure connection to the mail server', '无法与邮件服务器建立安全连接'],
  'mail.reason.name': ['The mail server’s name can’t be found', '无法解析邮件服务器名称'],
  'mail.reason.silent': ['The mail server doesn’t answer', '邮件服务器无应答'],
  'mail.reason.broke': ['The connection to the mail server was lost', '与邮件服务器的连接中断'],
  'mail.reason.refused': ['The mail server refused', '邮件服务器已拒绝'],
  'mail.foot': ['Sent automatically by {brand}. Please don’t reply.', '此邮件由 {brand} 自动发送，请勿回复。'],
  'mail.message.subject': ['{brand}: {title}', '{brand}：{title}'],
  'mail.message.body': ['{text}', '{text}'],
  'mail.test.subject': ['{brand}: test mail', '{brand}：测试邮件'],
  'mail.test.body': ['Mail from {brand} is working.', '{brand} 的邮件可以正常送达。'],
  'mail.loginCode.subject': ['{brand}: your sign-in code', '{brand}：登录验证码'],
  'mail.loginCode.body': [
    'Someone, probably you, is signing in to {brand} with this address. Your code is\n\n{code}\n\nIt works once and is valid for {minutes} minutes. We will never ask you for it. If this wasn’t you, ignore this message.',
    '有人（可能是您本人）正在使用此邮箱登录 {brand}。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次，请勿告知他人。如非本人操作，请忽略此邮件。',
  ],
  'mail.loginCode.sms': [
    '{brand}: your sign-in code is {code}. It’s valid for {minutes} minutes. We will never ask you for it.',
    '{brand}：登录验证码 {code}，{minutes} 分钟内有效，请勿告知他人。',
  ],
  'mail.resetCode.subject': ['{brand}: your code to reset the password', '{brand}：重置密码验证码'],
  'mail.resetCode.body': [
    'Someone, probably you, wants to reset the password of {account}. Your code is\n\n{code}\n\nIt works once and is valid for {minutes} minutes. If this wasn’t you, ignore this message: your password stays the same.',
    '有人（可能是您本人）正在重置账号 {account} 的密码。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次。如非本人操作，请忽略此邮件，您的密码不会改变。',
  ],
  'mail.passwordChanged.subject': ['{brand}: your password was changed', '{brand}：密码已修改'],
  'mail.passwordChanged.body': [
    'The password of {account} was changed on {at} from the address {ip}. All other sessions have ended. If this wasn’t you, contact your administrator immediately.',
    '账号 {account} 的密码已于 {at} 从地址 {ip} 修改，其他会话均已结束。如非本人操作，请立即联系管理员。',
  ],
  'mail.contactChanged.subject': ['{brand}: your contact details were changed', '{brand}：联系方式已更改'],
  'mail.contactChanged.body': [
    '{to} was added to the account {account} from the address {ip}. If this wasn’t you, contact your administrator immediately.',
    '已从地址 {ip} 将 {to} 绑定到账号 {account}。如非本人操作，请立即联系管理员。',
  ],
  'mail.bindCode.subject': ['{brand}: confirm this address', '{brand}：确认邮箱'],
  'mail.bindCode.body': [
    '{account} wants to use this address at {brand}. The verification code is\n\n{code}\n\nIt works once and is valid for {minutes} minutes.',
    '账号 {account} 申请在 {brand} 使用此邮箱。验证码为\n\n{code}\n\n验证码 {minutes} 分钟内有效，仅能使用一次。',
  ],
  'mail.bindCode.sms': [
    '{brand}: your verification code is {code}. It’s valid for {minutes} minutes.',
    '{brand}：验证码 {code}，用于确认手机号，{minutes} 分钟内有效。',
  ],
  'mail.locked.subject': ['{brand}: failed attempts to sign in as you', '{brand}：您的账号登录失败多次'],
  'mail.locked.body': [
    'There were many failed attempts to sign in as {account}, the last from the address {ip}. Each further attempt from there has to wait, at most {minutes} minutes. Your sessions and API tokens keep working, and you can sign in as usual from where you signed in before. If it wasn’t you, no one got in and you don’t have to do anything. If you have forgotten your password, reset it.',
    '账号 {account} 登录失败多次，最后一次来自地址 {ip}。来自该处的后续尝试须等待，最长 {minutes} 分钟。您的会话和 API 令牌不受影响，您仍可在此前登录过的地址照常登录。如非本人操作，他人并未登录成功，无需处理；如忘记密码，请重置密码。',
  ],
  'mail.oneTimePassword.subject': ['{brand}: your account', '{brand}：您的账号'],
  'mail.oneTimePassword.body': [
    'Your account at {brand} is {account}. Your one-time password is\n\n{password}\n\nYou’ll choose your own at the first sign-in.',
    '您在 {brand} 的账号为 {account}。一次性密码为\n\n{password}\n\n首次登录时请设置您自己的密码。',
  ],
  'mail.invite.subject': ['{brand}: {by} invites you', '{brand}：{by} 邀请您加入'],
  'mail.invite.body': [
    '{by} invites you to join {org} at {brand}. Open this link to register:\n\n{link}\n\nIt works once, until {until}. If you don’t know the sender, ignore this message.',
    '{by} 邀请您加入 {brand} 的 {org}。请打开以下链接注册：\n\n{link}\n\n链接仅能使用一次，有效期至 {until}。如不认识邀请人，请忽略此邮件。',
  ],
  'mail.approval.subject': ['{brand}: “{task}” waits for you', '{brand}：“{task}”等待您处理'],
  'mail.approval.body': [
    '{author} asks for your decision on the release “{task}”.\n\n{step}\n\nReview it and decide here:\n\n{link}\n\nThe link is yours alone, decides once and works until {until}. Don’t forward it.',
    '{author} 请您处理任务“{task}”。\n\n{step}\n\n请打开以下链接查看内容并作出决定：\n\n{link}\n\n此链接仅供您本人使用，仅可决定一次，有效期至 {until}，请勿转发。',
  ],
  'mail.joinApproved.subject': ['{brand}: your application was approved', '{brand}：加入申请已通过'],
  'mail.joinApproved.body': ['{account} can now sign in for {org}.', '账号 {account} 已加入 {org}，现在即可登录。'],
  'mail.joinRefused.subject': ['{brand}: your application was rejected', '{brand}：加入申请未通过'],
  'mail.joinRefused.body': ['{org} rejected the application of {account}: {reason}', '{org} 未通过账号 {account} 的加入申请：{reason}'],
  'mail.orgApproved.subject': ['{brand}: {org} is approved', '{brand}：{org} 已通过审核'],
  'mail.orgApproved.body': ['{org} is approved. You can sign in now.', '{org} 已通过审核，现在即可登录。'],
  'mail.orgRefused.subject': ['{brand}: {org} was rejected', '{brand}：{org} 未通过审核'],
  'mail.orgRefused.body': [
    '{org} was rejected: {reason}\n\nSign in to correct and resubmit your registration, or to withdraw it.',
    '{org} 未通过审核：{reason}\n\n您可以登录后修改并重新提交，或撤回申请。',
  ],
});
