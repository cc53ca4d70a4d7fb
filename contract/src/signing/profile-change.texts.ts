import { texts } from '../kit/texts.ts';

/** What two people do with signing profiles. */
export const profileChangeTexts = texts({
  'change.target.profileAdd': ['New signing profile', '新增签名方案'],
  'change.target.profileUpdate': ['Change of a signing profile', '变更签名方案'],
  'change.target.profileDelete': ['Deletion of a signing profile', '删除签名方案'],
  'keyChange.field.name': ['Name', '名称'],
  'keyChange.field.asks': ['What it asks for', '签名要求'],
  'keyChange.field.covers': ['Products', '产品'],
  'keyChange.field.root': ['Root certificate', '根证书'],
  'keyChange.field.rootSha256': ['Root certificate SHA-256', '根证书 SHA-256'],
  'keyChange.field.signer': ['Certificates of the external key', '外部密钥的证书'],
  'keyChange.field.signerSha256': ['SHA-256 of the external key’s certificates', '外部密钥证书的 SHA-256'],
  'keyChange.field.signsWith': ['Key', '密钥'],
  'keyChange.field.signsWithSha256': ['Certificate SHA-256 of the key', '密钥的证书 SHA-256'],
  'keyChange.field.timeUrl': ['Time-stamping service', '时间戳服务'],
  'keyChange.field.timeRoot': ['Root certificate of the time-stamping service', '时间戳服务根证书'],
  'keyChange.field.timeSha256': ['SHA-256 of that root certificate', '该根证书的 SHA-256'],
  'keyChange.field.remark': ['Remark', '备注'],
  'signingProfile.changes': ['Profile requests', '方案变更申请'],
  'signingProfile.two': [
    'A new or changed profile takes effect once a second person approves it. A name or a remark alone changes at once.',
    '新建或变更的签名方案须由另一人批准后生效；仅修改名称或备注则立即生效。',
  ],
  'message.say.profileChangeWaiting.title': [
    'The signing profile “{subject}”: a change needs your approval',
    '签名方案“{subject}”：有变更等待您批准',
  ],
  'message.say.profileChangeWaiting.text': [
    '{author} asks for: {setting}. The profile is “{subject}”. Approve or reject it within 7 days.',
    '{author} 申请：{setting}，签名方案为“{subject}”。请在 7 天内批准或拒绝。',
  ],
  'message.say.profileChangeApproved.title': [
    'The signing profile “{subject}”: your change was approved',
    '签名方案“{subject}”：您的变更已获批准',
  ],
  'message.say.profileChangeApproved.text': [
    '{decider} approved: {setting}. The profile is “{subject}”. It is in effect now.',
    '{decider} 已批准：{setting}，签名方案为“{subject}”，现已生效。',
  ],
  'message.say.profileChangeReplaced.title': [
    'The signing profile “{subject}”: your change was replaced',
    '签名方案“{subject}”：您的变更已被取代',
  ],
  'message.say.profileChangeReplaced.text': [
    '{author} submitted a new request for the same change: {setting}. The profile is “{subject}”. Your request no longer waits for approval.',
    '{author} 重新提交了：{setting}，签名方案为“{subject}”。您的申请不再等待批准。',
  ],
  'message.say.profileChangeRefused.title': [
    'The signing profile “{subject}”: your change was rejected',
    '签名方案“{subject}”：您的变更被拒绝',
  ],
  'message.say.profileChangeRefused.text': [
    '{decider} rejected: {setting}. The profile is “{subject}”. {remark}',
    '{decider} 已拒绝：{setting}，签名方案为“{subject}”。{remark}',
  ],
  'message.say.profileChangeExpired.title': [
    'The signing profile “{subject}”: your change has expired',
    '签名方案“{subject}”：您的变更申请已过期',
  ],
  'message.say.profileChangeExpired.text': [
    'No one approved within 7 days: {setting}. The profile is “{subject}”. Nothing was changed. Request it again if it’s still needed.',
    '7 天内无人批准：{setting}，签名方案为“{subject}”。未作更改；如仍需要，请重新提交。',
  ],
  'change.merged': [
    'Ended automatically: {source} was merged into {into}. Request it again there.',
    '已自动结束：{source}已并入{into}，请在该机构重新申请。',
  ],
  'message.say.profileChangeMerged.title': [
    'The signing profile “{subject}”: your request has ended',
    '签名方案“{subject}”：您的申请已结束',
  ],
  'message.say.profileChangeMerged.text': [
    'You requested the new signing profile “{subject}” for {source}, which was merged into {into}. Nothing was changed. Request it for {into} if it’s still needed.',
    '您为{source}申请新建签名方案“{subject}”，该机构已并入{into}。未作更改；如仍需要，请为{into}重新申请。',
  ],
});
