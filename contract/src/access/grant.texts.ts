import { texts } from '../kit/texts.ts';

/** Why a right isn't given, and what to do about it. */
export const grantTexts = texts({
  'fault.ROLE_PLATFORM': [
    'You have no role on this platform. Choose a platform that you work on.',
    '您在该平台没有角色，请选择您所在的平台。',
  ],
  'fault.TRUST_ABOVE': [
    'The managers of this organisation have permissions that you don’t have. Ask an administrator of your own organisation to do this.',
    '该机构管理员的权限高于您，请联系本机构管理员操作。',
  ],
  'fault.FOUNDING_ABOVE': [
    'An organisation’s manager gets permissions that you don’t have. Ask an administrator of the region.',
    '机构管理员的权限高于您，请联系区域管理员操作。',
  ],
  'fault.SOURCE_PEOPLE_ABOVE': [
    'People of this organisation have permissions that you don’t have, and would use them in the target too. Ask a platform administrator, or have those roles removed first.',
    '该机构人员拥有您没有的权限，合并后将可在目标机构使用。请联系平台管理员，或先移除这些角色。',
  ],
  'fault.TARGET_PEOPLE_ABOVE': [
    'People of the target, or above it, have permissions that you don’t have, and would use them in this organisation too. Ask a platform administrator.',
    '目标机构或其上级人员拥有您没有的权限，操作后将可在该机构使用。请联系平台管理员。',
  ],
  'fault.PUBLIC_URL_MISSING': [
    'The server doesn’t know its public address, so a link wouldn’t lead here. Ask whoever runs it to set PUBLIC_URL.',
    '服务器未设置对外地址，无法生成链接，请联系运维人员设置 PUBLIC_URL。',
  ],
  'fault.SSO_LINK_ABOVE': [
    'Your account can’t be linked by its e-mail address. Ask a platform administrator to save the single sign-on settings.',
    '该账号不能通过邮箱关联，请由平台管理员保存单点登录设置。',
  ],
  'fault.SETTING_ADMINISTRATOR': [
    'Only a platform administrator at the top of the installation can change this setting: it applies to everyone.',
    '此设置对所有人生效，仅归属于顶级机构的平台管理员可以更改。',
  ],
});
