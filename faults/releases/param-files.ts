import { paramBatchCalls, paramTaskCalls } from '@mooring/contract/paramfile/calls';
import { zipOf } from '../../server/test/zip.ts';
import { upload } from '../upload.ts';
import type { Round, Sent } from './sent.ts';

const contentOf = (sn: string, round: number) => JSON.stringify({ merchant: `M-${sn}`, round });

/** A file for each terminal, out of one archive. */
export async function paramFiles(of: Round): Promise<Sent> {
  const { world, round } = of;
  const zip = await zipOf(Object.fromEntries((await of.sns()).map((sn) => [`${sn}.json`, contentOf(sn, round)])));
  const file = await upload(world, `params-${round}.zip`, zip, { fileType: '9' });
  const set = await world.console.insist(paramBatchCalls.add, { name: `Round ${round}`, fileId: file?.id ?? 0 });
  const { id: taskId } = await world.console.insist(paramTaskCalls.add, { ...of.input, content: { setId: set.id } });
  return { kind: 'paramFile', taskId, holds: ({ sn, paramFile }) => paramFile === contentOf(sn, round) };
}
