import type { MasterKey } from '../../platform/config/master-key.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { sheetImport } from '../../platform/work/import-sheet.ts';
import { heldNow } from '../access/api.ts';
import { hashPassword } from '../auth/api.ts';
import { oneTimePassword } from './first-administrator.ts';
import { mayOnMembers } from './member.queries.ts';
import { checkMembers, columns, exampleOf } from './member-sheet.ts';
import { checkPlacing, insertMember, mailPassword } from './member-write.ts';

/** People from a spreadsheet. Their passwords are made before the transaction that writes them: each takes its time. */
export const memberImport = (store: BlobStore, sealWith: MasterKey) =>
  sheetImport(
    {
      job: 'account:import',
      title: 'work.import.member',
      things: 'people',
      columns,
      example: exampleOf,
      fileName: 'members.xlsx',
      may: (ctx) => mayOnMembers(ctx, 'add'),
      check: checkMembers,
      async prepare(ctx, rows, goesOn) {
        const made: { password: string; hash: string }[] = [];
        for (const [at] of rows.entries()) {
          const password = oneTimePassword();
          made.push({ password, hash: await hashPassword(password) });
          if (!(await goesOn(at))) return undefined;
        }
        return async (inner) => {
          const { db } = inner;
          const held = await heldNow(inner);
          for (const [at, row] of rows.entries()) {
            const { password = '', hash = '' } = made[at] ?? {};
            const place = await checkPlacing(inner, db, held, row);
            const id = await insertMember(inner, db, { ...row, managedDeptIds: [], hash }, place, 'import');
            await mailPassword(
              db,
              sealWith,
              { id, account: row.account, email: row.email, dept_path: place.path, language: null },
              password,
              ctx.lang,
            );
          }
          await inner.invalidate(db, '/sys/user/member');
        };
      },
    },
    store,
  );
