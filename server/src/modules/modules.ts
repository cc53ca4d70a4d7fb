import type { AppContext } from '../platform/app-context.ts';
import { history } from '../platform/history.ts';
import type { Authenticator } from '../platform/http/authenticator.ts';
import type { RefTable } from '../platform/http/check-refs.ts';
import { makeMail } from '../platform/mail/module.ts';
import type { Module } from '../platform/module.ts';
import { retention } from '../platform/retention.ts';
import { makeAccess } from './access/module.ts';
import { makeAccount } from './account/module.ts';
import { makeRealName } from './account/real-name/module.ts';
import { makeAuditLog } from './audit-log/module.ts';
import { makeAuth } from './auth/module.ts';
import { makeDevice } from './device/api.ts';
import { makeFile } from './file/module.ts';
import { makeFirmware } from './firmware/module.ts';
import { makeLanguage } from './language/module.ts';
import { makeMessage } from './message/module.ts';
import { makeOrgInvites } from './org/invite-module.ts';
import { org } from './org/module.ts';
import { product } from './product/module.ts';
import { review } from './review/module.ts';
import { makeSettings } from './settings/module.ts';
import { stats } from './stats/module.ts';

/** Every domain of the server, in the order in which their seeds run. */
export function makeModules(app: AppContext): {
  modules: readonly Module[];
  authenticator: Authenticator;
  refs: Readonly<Record<string, RefTable>>;
} {
  const auth = makeAuth(app);
  const modules: Module[] = [
    history,
    retention,
    makeMail(app),
    org,
    makeOrgInvites(app),
    makeAccess(() => modules),
    auth.module,
    makeAccount(app),
    makeRealName(app),
    review,
    makeLanguage(app),
    makeSettings(app, () => modules),
    makeMessage(app),
    makeAuditLog(app),
    product,
    makeDevice(app, () => modules),
    makeFile(app, () => modules),
    makeFirmware(app),
    stats,
  ];
  return {
    modules,
    authenticator: auth.authenticator,
    refs: Object.assign({}, ...modules.map((module) => module.refs ?? {})) as Record<string, RefTable>,
  };
}
