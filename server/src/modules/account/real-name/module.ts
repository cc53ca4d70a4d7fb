import { authAuditCalls, realNameCalls } from '@mooring/contract/account/real-name-calls';
import type { AppContext } from '../../../platform/app-context.ts';
import { openStore } from '../../../platform/files/open-store.ts';
import { handlers, type Module } from '../../../platform/module.ts';
import { auditCounts, pageRequests, readRequest, viewNumber, viewPicture, waitingCount } from './audit.ts';
import { approveRequest, refuseRequest } from './decide.ts';
import { handInOrg, handInPerson } from './hand-in.ts';
import { nightly } from './nightly.ts';
import { ownRealName } from './own.ts';
import { addPicture, ownPicture } from './pictures.ts';

/** Real names: handed in by people and organisations, checked by auditors. */
export function makeRealName(app: AppContext): Module {
  const store = openStore(app.config, app.counts);
  return {
    name: 'real-name',
    jobs: [nightly(app)],
    counts: auditCounts,
    keepsBlob: async (db, sha256) =>
      (await db.selectFrom('account_real_name_picture').select('id').where('sha256', '=', sha256).limit(1).executeTakeFirst()) !==
      undefined,
    routes: [
      ...handlers(realNameCalls, {
        authInfo: (ctx) => ownRealName(ctx),
        addPicture: (ctx, { image }) => addPicture(app, store, ctx, image),
        picture: (ctx, { id }) => ownPicture(app, store, ctx, id),
        person: (ctx, input) => handInPerson(app, ctx, input),
        org: (ctx, input) => handInOrg(app, ctx, input),
      }),
      ...handlers(authAuditCalls, {
        page: pageRequests,
        detail: readRequest,
        picture: viewPicture(app, store),
        number: viewNumber(app),
        approve: (ctx, { id }) => approveRequest(ctx, id),
        refuse: (ctx, { id, reasons }) => refuseRequest(ctx, id, reasons),
        waitingCount: (ctx) => waitingCount(ctx),
      }),
    ],
  };
}
