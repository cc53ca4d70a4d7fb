import { authAuditCalls, realNameCalls } from '@mooring/contract/account/real-name-calls';
import { openStore } from '../../../platform/files/open-store.ts';
import type { House } from '../../../platform/house.ts';
import { handlers, type Module } from '../../../platform/module.ts';
import { auditCounts, pageRequests, readRequest, viewNumber, viewPicture, waitingCount } from './audit.ts';
import { approveRequest, refuseRequest } from './decide.ts';
import { handInOrg, handInPerson } from './hand-in.ts';
import { nightly } from './nightly.ts';
import { ownRealName } from './own.ts';
import { addPicture, ownPicture } from './pictures.ts';

/** Real names: handed in by people and organisations, checked by auditors. */
export function makeRealName(house: House): Module {
  const store = openStore(house.config, house.counts);
  return {
    name: 'real-name',
    jobs: [nightly(house)],
    counts: auditCounts,
    keepsBlob: async (db, sha256) =>
      (await db.selectFrom('account_real_name_picture').select('id').where('sha256', '=', sha256).limit(1).executeTakeFirst()) !==
      undefined,
    routes: [
      ...handlers(realNameCalls, {
        authInfo: (ctx) => ownRealName(ctx),
        addPicture: (ctx, { image }) => addPicture(house, store, ctx, image),
        picture: (ctx, { id }) => ownPicture(house, store, ctx, id),
        person: (ctx, input) => handInPerson(house, ctx, input),
        org: (ctx, input) => handInOrg(house, ctx, input),
      }),
      ...handlers(authAuditCalls, {
        page: pageRequests,
        detail: readRequest,
        picture: viewPicture(house, store),
        number: viewNumber(house),
        approve: (ctx, { id }) => approveRequest(ctx, id),
        refuse: (ctx, { id, reasons }) => refuseRequest(ctx, id, reasons),
        waitingCount: (ctx) => waitingCount(ctx),
      }),
    ],
  };
}
