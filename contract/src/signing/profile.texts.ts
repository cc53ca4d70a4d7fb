import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { SigningProfile } from './profile.ts';

export const signingProfileTexts = texts({
  'signingProfile.title': ['Profiles', '签名方案'],
  'signingProfile.empty': ['No profiles yet', '暂无签名方案'],
  'signingProfile.emptyText': [
    'A profile says how packages of a product have to be signed, for example below the root certificate of an acquirer.',
    '签名方案规定产品的应用包须如何签名，例如须由收单机构根证书之下的证书签名。',
  ],
  'signingProfile.add': ['Create profile', '创建签名方案'],
  'signingProfile.edit': ['Edit profile', '编辑签名方案'],
  'signingProfile.delete': ['Delete profile', '删除签名方案'],
  'signingProfile.delete.about': [
    'Once a second person approves, {name} is deleted. Releases for its products no longer ask for a certain signature.',
    '由另一人批准后将删除 {name}，其产品的发布不再要求特定签名。',
  ],
  'signingProfile.search': ['Name or root certificate', '名称或根证书'],
  'signingProfile.name': ['Name', '名称'],
  'signingProfile.deptId': ['Organisation', '机构'],
  'signingProfile.kind': ['What it asks for', '签名要求'],
  'signingProfile.kind.help': [
    'It holds for every release of an app to terminals of the products below, and it can’t be changed later.',
    '适用于向以下产品的终端发布的所有应用，创建后不可更改。',
  ],
  'signingProfile.kind.none': ['Nothing in particular', '无特定要求'],
  'signingProfile.kind.chain': ['Certificate below a root', '根证书之下的证书'],
  'signingProfile.kind.cms': ['Detached signature (CMS)', '分离签名（CMS）'],
  'signingProfile.kind.external': ['Signature by an external key', '外部密钥签名'],
  'signingProfile.ends.signerSubject': ['The certificate of the external signer', '外部签名者的证书'],
  'signingProfile.ends.root': ['The root certificate', '根证书'],
  'signingProfile.ends.timeRoot': ['The root certificate of the time-stamping service', '时间戳服务的根证书'],
  'message.say.signingProfileEnds.title': [
    'A certificate of the signing profile “{profile}” expires soon',
    '签名方案“{profile}”的证书即将到期',
  ],
  'message.say.signingProfileEnds.text': [
    '{what} expires in {days, plural, one {# day} other {# days}}. Install a new one: nothing is signed by this profile after that.',
    '{what}将在 {days} 天后到期，请安装新证书；到期后无法按此方案签名。',
  ],
  'signingProfile.certificates': ['Certificates of the external key (PEM)', '外部密钥的证书（PEM）'],
  'signingProfile.certificates.help': [
    'The signer’s own first, then those above it. The key stays where it is: checksums go out, signatures come back.',
    '首先是签名者证书，其后为上级证书。密钥保留在原处：导出摘要，再导入签名。',
  ],
  'signingProfile.signerSubject': ['External signer', '外部签名者'],
  'signingProfile.signerSha256': ['External certificate SHA-256', '外部证书 SHA-256'],
  'signingProfile.signerEnds': ['External certificate valid until', '外部证书有效期至'],
  'signingProfile.productIds': ['Products', '产品'],
  'signingProfile.productIds.help': [
    'Each product is in one profile of an organisation. For a release the profile of the product’s owner counts, or the nearest one above.',
    '每个产品在一个机构中只能属于一个方案。发布时以产品所属机构的方案为准，若无则取最近的上级。',
  ],
  'signingProfile.root': ['Root certificate (PEM)', '根证书（PEM）'],
  'signingProfile.root.help': [
    'Of the acquirer: one certificate that is its own issuer. Certificates of signers have to lead to it.',
    '收单机构的自签根证书（仅一个）。签名者证书须能追溯到该证书。',
  ],
  'signingProfile.rootSubject': ['Root certificate', '根证书'],
  'signingProfile.rootSha256': ['Root certificate SHA-256', '根证书 SHA-256'],
  'signingProfile.keyId': ['Key', '密钥'],
  'signingProfile.keyId.help': [
    'Signatures by this profile are made with it. Empty: chosen with each request.',
    '按此方案签名时使用。留空则每次申请时选择。',
  ],
  'signingProfile.timeUrl': ['Time-stamping service', '时间戳服务'],
  'signingProfile.timeUrl.help': [
    'Its address (RFC 3161). It confirms when each signature by this profile was made. Empty: no time stamps.',
    '时间戳服务地址（RFC 3161），用于证明按此方案签名的时间。留空则不加时间戳。',
  ],
  'signingProfile.timeRoot': ['Root certificate of the time-stamping service (PEM)', '时间戳服务根证书（PEM）'],
  'signingProfile.timeRoot.help': [
    'One certificate that is its own issuer. Time stamps that don’t lead to it aren’t accepted.',
    '自签根证书（仅一个）。无法追溯到该证书的时间戳不予接受。',
  ],
  'signingProfile.timeSubject': ['Time stamps below', '时间戳根证书'],
  'signingProfile.remark': ['Remark', '备注'],
  'signingProfile.createdBy': ['Created by', '创建人'],
  'signingProfile.createdAt': ['Created', '创建时间'],
  'fault.SIGNING_PROFILE_TAKEN': ['The organisation already has a profile of this name.', '该机构已有同名签名方案。'],
  'fault.SIGNING_PROFILE_PRODUCT': [
    '{product} is already in the profile “{profile}” of this organisation.',
    '{product} 已属于该机构的签名方案“{profile}”。',
  ],
  'fault.SIGNING_PROFILE_IN_USE': ['Requests for signatures by it are still open.', '仍有按此方案的签名申请未完成。'],
  'fault.SIGNING_PROFILE_KEY': ['The profile asks for another key.', '该签名方案要求使用其他密钥。'],
  'fault.SIGNING_ROOT_UNREAD': ['Paste exactly one certificate (PEM).', '请粘贴一个且仅一个证书（PEM）。'],
  'fault.SIGNING_ROOT_NOT_CA': [
    'It isn’t a root: a certificate authority that issued its own certificate.',
    '不是根证书：须为自签发的证书颁发机构证书。',
  ],
  'fault.SIGNING_ROOT_OVER': ['The certificate isn’t valid now.', '该证书当前不在有效期内。'],
  'fault.SIGNING_CERTIFICATE_KEY': [
    'The key of the first certificate can’t sign here: RSA with 2048, 3072 or 4096 bits, P-256 or P-384.',
    '第一个证书的密钥类型不受支持：须为 2048、3072 或 4096 位 RSA、P-256 或 P-384。',
  ],
  'fault.KEY_NOT_BELOW': [
    'The certificate of this key doesn’t lead to the root certificate of the profile.',
    '该密钥的证书无法追溯到方案的根证书。',
  ],
}) satisfies FieldTexts<typeof SigningProfile>;
