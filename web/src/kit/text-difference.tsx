import { ScrollRegion } from '../ui/scroll-region.tsx';
import { type ChangedLine, changedLines } from './changed-lines.ts';
import './text-difference.css';

/** Around what changed; the rest that stays is left out. */
const AROUND = 2;
const signs = { gone: '− ', new: '+ ', kept: '  ' } as const;

function Line({ kind, text }: ChangedLine) {
  const words = `${signs[kind]}${text}`;
  if (kind === 'gone') return <del>{words}</del>;
  return kind === 'new' ? <ins>{words}</ins> : <p>{words}</p>;
}

/** What of one text goes and what of another comes, line by line; `same` where nothing does. */
export function TextDifference({ label, before, now, same }: { label: string; before: string; now: string; same: string }) {
  const lines = changedLines(before, now);
  const changes = lines.flatMap(({ kind }, at) => (kind === 'kept' ? [] : [at]));
  if (changes.length === 0) return <p className="m-muted">{same}</p>;
  const isShown = (at: number) => changes.some((change) => Math.abs(change - at) <= AROUND);
  return (
    <ScrollRegion label={label} className="m-difference">
      {lines.map((line, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        if (isShown(at)) return <Line key={at} {...line} />;
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        return isShown(at - 1) ? <p key={at}>…</p> : null;
      })}
    </ScrollRegion>
  );
}
