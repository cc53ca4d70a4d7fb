import { driftPath, GENERAL_DRIFT } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import { releaseKinds } from '@mooring/contract/release-kinds';

/** Which of them a call is about. */
function ofRelease(path: string): string | undefined {
  for (const { kind, paths } of releaseKinds) {
    const base = path.slice(0, path.lastIndexOf('/'));
    if (base === paths.packages) return `package:${kind}`;
    if (base === `${paths.packages}/diff`) return `difference:${kind}`;
    if (base === paths.tasks || base === paths.preTasks) return `task:${kind}`;
    if (base === paths.results) return `result:${kind}`;
    if (base === driftPath({ paths })) return `drift:${kind}`;
  }
  return undefined;
}

/** Which row `{ id }` names, by call; every call that takes an id must stand here. */
export const entityOf = (call: Call): string | undefined => {
  if (call.path === '/sys/user/session/end') return 'session';
  if (call.path === '/sys/user/passkey/delete') return 'passkey';
  if (call.path.startsWith('/hardWareTest/')) return 'hardwareTest';
  if (call.path === '/device/withdraw') return 'command';
  if (call.path.startsWith('/form/individuation/view/')) return 'savedView';
  if (call.path.startsWith('/release/blackout/')) return 'blackout';
  if (call.path.startsWith('/sys/dept/trust/')) return 'trust';
  if (call.path.startsWith('/sys/dept/') || call.path.startsWith('/sys/businessUnit/') || call.path.startsWith('/sys/productLine/'))
    return 'dept';
  if (call.path.startsWith('/sys/user/member/invite/')) return 'invite';
  if (call.path.startsWith('/sys/user/member/')) return 'user';
  if (call.path.startsWith('/sys/review/')) return 'review';
  if (call.path.startsWith('/sys/role/')) return 'role';
  if (call.path.startsWith('/sys/regist/')) return 'registration';
  if (call.path.startsWith('/sys/user/realName/')) return 'realNamePicture';
  if (call.path.startsWith('/sys/user/authAudit/')) return 'realName';
  if (call.path.startsWith('/device/reg/code')) return 'code';
  if (call.path.startsWith('/device/reg/rule')) return 'rule';
  if (call.path.startsWith('/device/reg/factor')) return 'factory';
  if (call.path.startsWith('/device/reg/')) return 'pending';
  if (call.path.startsWith('/device/group/') && !/Members$/.test(call.path)) return 'deviceGroup';
  const shipment = /^\/device\/(dispatch|receipt|sales)\//.exec(call.path)?.[1];
  if (call.path === '/device/batchOut' || call.path === '/device/dispatch/fromStock') return 'stock';
  if (call.path.startsWith('/inventory/count/')) return 'stockCount';
  const sync = /^\/tms\/sync\/(source|record|conflict)\//.exec(call.path)?.[1];
  if (sync) return { source: 'syncSource', record: 'syncRun', conflict: 'syncConflict' }[sync];
  if (call.path.startsWith('/thirdServerIot/message/')) return 'iotMessage';
  if (call.path.startsWith('/thirdServerIot/')) return 'iotCustomer';
  if (call.path.startsWith('/aws/')) return 'iotRegistration';
  if (shipment) return shipment === 'sales' ? 'sale' : shipment;
  if (call.path.startsWith('/device/') || call.path.startsWith('/fota/device/')) return 'device';
  if (call.path.startsWith('/alertPush/rule/')) return 'alertRule';
  if (call.path.startsWith('/alertPush/')) return 'alarm';
  if (call.path.startsWith('/geofenceAlarm/')) return 'geofenceAlarm';
  if (call.path.startsWith('/geofenceConfig/')) return 'geofence';
  if (call.path.startsWith('/alarmReceiverConfig/')) return 'alarmReceiver';
  if (call.path.startsWith('/notice/')) return /\/(own|read|attachment)$/.test(call.path) ? 'noticeDelivery' : 'notice';
  if (call.path.startsWith('/order/')) return 'order';
  if (call.path.startsWith('/sys/sdk/')) return 'sdk';
  if (call.path.startsWith('/softApp/developer/')) return 'developer';
  if (call.path.startsWith('/softApp/')) return 'app';
  if (call.path.startsWith('/appRelease/')) return 'appVersion';
  if (call.path.startsWith('/appDiff/')) return 'difference:softApp';
  if (call.path.startsWith('/app/url/callback/')) return 'webhookDelivery';
  if (/^\/app\/(subscribe|url)\//.test(call.path)) return 'appSubscription';
  const signing = /^\/api\/keystore\/(store|key|job|change|profile)\//.exec(call.path)?.[1];
  if (signing) return { store: 'keyStore', key: 'signingKey', job: 'signingJob', change: 'keyChange', profile: 'signingProfile' }[signing];
  const place = /^\/(merchant|shop|maintenance)(Record)?\//.exec(call.path)?.[1];
  if (place) return call.path === '/merchant/assign' ? 'device' : place;
  if (call.path.startsWith('/product/model/')) return 'thingModel';
  if (call.path.startsWith('/product/')) return 'product';
  if (/^\/paramfile\/\w+$/.test(call.path)) return 'paramSet';
  if (call.path.startsWith('/paramfile/file/')) return 'paramFile';
  if (call.path.startsWith('/paramfile/template/level/')) return 'paramLevel';
  if (call.path.startsWith('/paramfile/template/')) return 'paramTemplate';
  // Beside the approval: its release.
  if (/^\/task\/audit\/(baseInfo|detailInfo|deviceList|result)$/.test(call.path) || call.path === '/task/one') return 'task';
  if (call.path.startsWith(`${GENERAL_DRIFT}/`)) return 'drift:softApp';
  if (call.path.startsWith('/customizeDesktop/')) return call.path.split('/')[2];
  if (call.path.startsWith('/file/')) return 'file';
  if (call.path.startsWith('/message/')) return 'message';
  if (call.path.startsWith('/sys/logs/')) return 'logEntry';
  if (call.path.startsWith('/api/online/')) return 'session';
  if (call.path === '/task/audit/absence/end') return 'absence';
  if (call.path.startsWith('/sys/user/token')) return 'apiToken';
  const release = ofRelease(call.path);
  if (release) return release;
  // Not an organisation's: only people of the platform hold these permissions.
  const ofInstallation = [
    '/sysSetting/',
    '/sys/changeRequest/',
    '/sys/language/',
    '/downloadDomainName/',
    '/sys/audit/config/',
    '/sys/job/',
    '/uploadFileMonitor/',
    '/firm/',
    '/helpArticle/',
    '/helpCategory/',
    '/productCategory/',
    '/industryProduct/',
  ];
  if (ofInstallation.some((base) => call.path.startsWith(base))) return 'installation';
  return undefined;
};
