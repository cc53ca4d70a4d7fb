import type { ReleaseGate } from '../engines/rollout/gate.ts';
import type { KindOfRelease } from '../engines/rollout/module.ts';
import type { RolloutKind } from '../engines/rollout/task.ts';
import type { AppContext } from '../platform/app-context.ts';
import type { ReleaseKeys } from '../platform/gateway/release-keys.ts';
import { loadReleaseKeys } from '../platform/gateway/release-keys.ts';
import { history } from '../platform/history.ts';
import type { Authenticator } from '../platform/http/authenticator.ts';
import type { RefTable } from '../platform/http/check-refs.ts';
import { makeMail } from '../platform/mail/module.ts';
import type { Module } from '../platform/module.ts';
import { withResources } from '../platform/resource/with-resources.ts';
import { retention } from '../platform/retention.ts';
import { makeAccess } from './access/module.ts';
import { makeAccount } from './account/module.ts';
import { makeRealName } from './account/real-name/module.ts';
import { makeAlert } from './alert/module.ts';
import { makeApp } from './app/module.ts';
import { publishedVersions } from './app/published-version.ts';
import { softAppRelease } from './app/release.ts';
import { appReview } from './app/review-subject.ts';
import { appPermissionRelease } from './app-permission/release.ts';
import { gateOf } from './approval/gate.ts';
import { makeApproval } from './approval/module.ts';
import { makeAuditLog } from './audit-log/module.ts';
import { makeAuth } from './auth/module.ts';
import { blackout } from './blackout/module.ts';
import { makeCustomer } from './customer/module.ts';
import { makeDesktop } from './desktop/module.ts';
import { contentReleases } from './desktop/release.ts';
import { makeDevice } from './device/api.ts';
import { makeFile } from './file/module.ts';
import { firmwareRelease } from './firmware/release.ts';
import { makeGeofence } from './geofence/module.ts';
import { hardwareTest } from './hardware-test/module.ts';
import { makeHelp } from './help/module.ts';
import { makeInventory } from './inventory/module.ts';
import { makeJobs } from './job/module.ts';
import { makeLanguage } from './language/module.ts';
import { makeMerchant } from './merchant/module.ts';
import { makeMessage } from './message/module.ts';
import { tellNearlyFull } from './message/nearly-full.ts';
import { moduleRelease } from './module/release.ts';
import { networkConfigRelease } from './network-config/release.ts';
import { makeOrder } from './order/module.ts';
import { makeOrgInvites } from './org/invite-module.ts';
import { makeOrg } from './org/module.ts';
import { androidParamRelease } from './paramfile/android-release.ts';
import { makeParamFiles } from './paramfile/module.ts';
import { paramFileRelease } from './paramfile/release.ts';
import { patchRelease } from './patch/release.ts';
import { product } from './product/module.ts';
import { makeReleases } from './release/module.ts';
import { review } from './review/module.ts';
import { makeSettings } from './settings/module.ts';
import { makeSigning } from './signing/module.ts';
import { stats } from './stats/module.ts';
import { makeGeneralTasks } from './task/module.ts';

/** Everything that can be released to terminals. */
export const releaseKinds = (keys: () => Promise<ReleaseKeys>, app: Pick<AppContext, 'masterKey' | 'now'>): readonly KindOfRelease[] => [
  firmwareRelease(keys),
  moduleRelease(keys),
  patchRelease(keys),
  appPermissionRelease,
  networkConfigRelease,
  paramFileRelease(keys),
  softAppRelease(keys, app),
  androidParamRelease(app),
  ...contentReleases(keys),
];

/** Who must agree to releases of a kind. */
export const gatesOf =
  (app: AppContext) =>
  ({ of }: RolloutKind): ReleaseGate | undefined =>
    gateOf(app, of.kind);

/** Every domain of the server, in the order in which their seeds run. */
export function makeModules(app: AppContext): {
  modules: readonly Module[];
  authenticator: Authenticator;
  refs: Readonly<Record<string, RefTable>>;
} {
  const auth = makeAuth(app);
  const kinds = releaseKinds(() => loadReleaseKeys(app), app).map(({ kind }) => kind);
  const modules: Module[] = [
    history,
    retention,
    makeMail(app),
    makeOrg(app),
    makeOrgInvites(app),
    makeAccess(() => modules),
    auth.module,
    makeAccount(app),
    makeRealName(app),
    review,
    makeLanguage(app),
    makeSettings(app, () => modules),
    makeMessage(app),
    makeHelp(app),
    makeAuditLog(app),
    product,
    blackout,
    makeDevice(app, () => modules),
    hardwareTest,
    makeMerchant(app),
    makeAlert(app),
    makeGeofence(app),
    makeCustomer(app),
    makeOrder(app),
    makeInventory(app),
    makeFile(app, () => modules, tellNearlyFull),
    makeApp(app),
    makeParamFiles(app),
    makeDesktop(app),
    makeReleases(app, releaseKinds, gatesOf(app), [publishedVersions]),
    makeGeneralTasks(kinds),
    makeApproval(app, kinds, [appReview]),
    makeSigning(app),
    stats,
    makeJobs(() => modules),
  ].map(withResources);
  return {
    modules,
    authenticator: auth.authenticator,
    refs: Object.assign({}, ...modules.map((module) => module.refs ?? {})) as Record<string, RefTable>,
  };
}
