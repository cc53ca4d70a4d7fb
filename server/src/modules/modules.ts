import { history } from '../platform/history.ts';
import type { House } from '../platform/house.ts';
import type { RefTable } from '../platform/http/check-refs.ts';
import type { Doorkeeper } from '../platform/http/doorkeeper.ts';
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

/** Every domain of the house, in the order in which their seeds run. */
export function makeModules(house: House): {
  modules: readonly Module[];
  doorkeeper: Doorkeeper;
  refs: Readonly<Record<string, RefTable>>;
} {
  const auth = makeAuth(house);
  const modules: Module[] = [
    history,
    retention,
    makeMail(house),
    org,
    makeOrgInvites(house),
    makeAccess(() => modules),
    auth.module,
    makeAccount(house),
    makeRealName(house),
    review,
    makeLanguage(house),
    makeSettings(house, () => modules),
    makeMessage(house),
    makeAuditLog(house),
    product,
    makeDevice(house, () => modules),
    makeFile(house, () => modules),
    makeFirmware(house),
    stats,
  ];
  return {
    modules,
    doorkeeper: auth.doorkeeper,
    refs: Object.assign({}, ...modules.map((module) => module.refs ?? {})) as Record<string, RefTable>,
  };
}
