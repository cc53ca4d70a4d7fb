import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { PageInput } from '@mooring/contract/kit/page';
import type { Ctx } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import { t } from '../../platform/texts/translate.ts';
import { type Exporter, exporter } from '../../platform/work/exporter.ts';
import type { ResultCriteria } from './result-queries.ts';
import { openingOf, type ResultRow, resultConditions, resultSorts, resultsOf, taskResult } from './result-queries.ts';
import type { RolloutKind } from './task.ts';
import { reasonText, whyText } from './why-text.ts';

export async function pageResults(ctx: Ctx, kind: RolloutKind, input: { criteria: ResultCriteria; page: PageInput }) {
  const query = resultsOf(ctx.db, [kind]).where('r.kind', '=', kind.of.kind).where(resultConditions(input.criteria));
  const found = await page(ctx.db, query, { page: input.page, sorts: resultSorts, id: 'r.id', map: (row: ResultRow) => row });
  const opening = await openingOf(ctx.db, found.content, ctx.now());
  return { ...found, content: found.content.map((row) => taskResult(ctx, kind, row, opening(row))) };
}

type Row = ReturnType<typeof taskResult>;
const moment = (value: Row['sentAt']) => (value instanceof Date ? value : value ? new Date(value) : null);

const columns: Exporter<Row>['columns'] = {
  sn: { title: 'device.sn', cell: (row) => row.sn },
  deviceName: { title: 'device.name', cell: (row) => row.deviceName },
  deptName: { title: 'device.dept', cell: (row) => row.deptName },
  state: { title: 'firmware.result.state', cell: (row, lang) => t(lang, `life.taskResult.${resultMachine.byCode[row.state]}`) },
  ring: { title: 'firmware.result.ring', cell: (row) => row.ring },
  fromVersion: { title: 'firmware.result.from', cell: (row) => row.fromVersion },
  version: { title: 'firmware.result.version', cell: (row) => row.version },
  reason: { title: 'firmware.result.reason', cell: (row, lang) => (row.reason ? reasonText(lang, row.reason) : '') },
  message: { title: 'firmware.result.message', cell: (row) => row.message ?? '' },
  why: { title: 'firmware.result.why', cell: (row, lang, timeZone) => whyText(row.why, lang, timeZone) },
  attempts: { title: 'firmware.result.attempts', cell: (row) => row.attempts },
  sentAt: { title: 'firmware.result.sentAt', cell: (row) => moment(row.sentAt) },
  endedAt: { title: 'firmware.result.endedAt', cell: (row) => moment(row.endedAt) },
};

/** Devices of a task with what became of them, as a file. */
export const resultExporter = (kind: RolloutKind) =>
  exporter<Row>({
    name: `${kind.of.kind}Result`,
    title: 'work.export.firmwareResult',
    can: taskPermission(kind.of, 'export'),
    sort: 'sn',
    page: (ctx: Ctx, input: { criteria: ResultCriteria; page: PageInput }) => pageResults(ctx, kind, input) as never,
    columns,
  });
