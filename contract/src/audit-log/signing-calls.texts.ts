import { texts } from '../kit/texts.ts';

/** What the log calls the calls of signing. */
export const auditSigningCallTexts = texts({
  'log.call./api/keystore/store/add': ['Create a key store', '创建密钥库'],
  'log.call./api/keystore/store/update': ['Edit a key store', '编辑密钥库'],
  'log.call./api/keystore/store/delete': ['Delete a key store', '删除密钥库'],
  'log.call./api/keystore/store/export': ['Export the list of key stores', '导出密钥库列表'],
  'log.call./api/keystore/store/list': ['Find a key store', '查找密钥库'],
  'log.call./api/keystore/key/list': ['Find a signing key', '查找签名密钥'],
  'log.call./api/keystore/key/export': ['Export the list of signing keys', '导出签名密钥列表'],
  'log.call./api/keystore/key/generate': ['Generate a signing key', '生成签名密钥'],
  'log.call./api/keystore/key/import': ['Import a signing key', '导入签名密钥'],
  'log.call./api/keystore/key/activate': ['Activate a signing key', '启用签名密钥'],
  'log.call./api/keystore/key/policy': ['Change the policy of a signing key', '变更签名密钥策略'],
  'log.call./api/keystore/key/chain': ['Install certificates of a signing key', '安装签名密钥证书'],
  'log.call./api/keystore/key/suspend': ['Suspend a signing key', '暂停签名密钥'],
  'log.call./api/keystore/key/resume': ['Resume a signing key', '恢复签名密钥'],
  'log.call./api/keystore/key/retire': ['Retire a signing key', '停用签名密钥'],
  'log.call./api/keystore/key/destroy': ['Destroy a signing key', '销毁签名密钥'],
  'log.call./api/keystore/key/request': ['Create a certificate signing request', '生成证书签名请求'],
  'log.call./api/keystore/info': ['Read a key file', '读取密钥文件'],
  'log.call./api/keystore/change/approve': ['Approve a change of a signing key', '批准签名密钥变更'],
  'log.call./api/keystore/change/refuse': ['Reject a change of a signing key', '拒绝签名密钥变更'],
  'log.call./api/keystore/change/withdraw': ['Withdraw a change of a signing key', '撤回签名密钥变更'],
});
