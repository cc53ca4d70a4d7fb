import type { TaskResult } from '@mooring/contract/engines/rollout/schemas';
import type { z } from 'zod';
import { Progress } from '../ui/figures.tsx';
import { hasText, useFormat, useLooseT, useT } from '../ui/words.ts';

type Row = Pick<z.output<typeof TaskResult>, 'why' | 'message' | 'percent' | 'phase' | 'state'>;

/** Why this terminal isn't updated, or what it ended with, in a sentence. */
export function Why({ row, set = false }: { row: Row /** Something was set: it has no version to name. */; set?: boolean }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const { key, params } = row.why;
  // By the clock of the terminal, where that isn't the reader's own.
  const zone = params.zone === undefined ? undefined : String(params.zone);
  const away = zone !== undefined && zone !== format.timeZone;
  const written = {
    ...params,
    ...(away ? { local: format.moment(String(params.at), undefined, zone) } : {}),
    ...(params.reason ? { reason: loose(`reason.${params.reason}`, String(params.reason)) } : {}),
    ...(params.percent === undefined ? {} : { percent: format.percent(Number(params.percent) / 100) }),
    ...(params.at ? { at: format.moment(String(params.at)) } : {}),
  };
  const named = zone === undefined || away ? key : `${key}Here`;
  const shown = set && named === 'why.success' ? 'why.set' : named;
  const text = hasText(shown) ? t(shown, written) : shown;
  if (row.state === '2' && row.phase === 'downloading') return <Progress share={(row.percent ?? 0) / 100} label={text} note={text} />;
  return <span title={row.message ?? text}>{text}</span>;
}

/** What to do about it: by its reason, else by what it waits for; nothing where nobody needs to do anything. */
export function Advice({ row: { why } }: { row: Pick<Row, 'why'> }) {
  const t = useT();
  const { key, params } = why;
  const advice = [`advice.${params.advice}`, `advice.${params.reason}`, `advice.${key.replace(/^why\./, '')}`].find(hasText);
  return advice && hasText(advice) ? <span className="m-muted">{t(advice, params)}</span> : null;
}
