import { paramBatchCalls } from '@mooring/contract/paramfile/calls';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { inTurn } from '../../platform/in-turn.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { addSet, checkUpload } from './add-set.ts';
import { dropBytesJob, keepsBytes } from './bytes.ts';
import { driftJob } from './follow-drift.ts';
import { makeParamLevels, paramResultRoutes } from './level.resource.ts';
import { paramFiles, paramSets } from './paramfile.resources.ts';
import { paramTemplates } from './template.resource.ts';

/** Each holds its whole archive in memory. */
const turns = { atOnce: 2, queue: 10 };

/** Parameter files: a file for each of many terminals out of one upload. */
export function makeParamFiles(app: AppContext): Module {
  const store = openStore(app.config, app.counts);
  const turn = inTurn(turns);
  const inOwnTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const give = await turn();
    try {
      return await work();
    } finally {
      give();
    }
  };
  return {
    name: 'paramfile',
    resources: [paramSets, paramFiles, paramTemplates, makeParamLevels(app)],
    keepsBlob: keepsBytes,
    jobs: [dropBytesJob, driftJob(app)],
    routes: [
      ...paramResultRoutes(app),
      ...handlers(paramBatchCalls, {
        check: (ctx, { fileId }) => inOwnTurn(() => checkUpload(ctx, store, fileId)),
        add: (ctx, input) =>
          inOwnTurn(async () => {
            const id = await addSet(ctx, store, input);
            return ctx.withScope((own) => paramSets.read(own, id));
          }),
      }),
    ],
  };
}
