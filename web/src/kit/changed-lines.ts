export interface ChangedLine {
  readonly kind: 'kept' | 'gone' | 'new';
  readonly text: string;
}
/** What is compared line by line; of longer ones all that isn't at the beginning or the end alike counts as changed. */
const MOST_CELLS = 4_000_000;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n'));
const all = (kind: ChangedLine['kind'], lines: readonly string[]): ChangedLine[] => lines.map((text) => ({ kind, text }));

/** How many lines from each place on are common to both, in their order: row by row, one longer than the lines each way. */
function commonFrom(before: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let at = before.length - 1; at >= 0; at--)
    for (let to = now.length - 1; to >= 0; to--)
      common[at * width + to] =
        before[at] === now[to]
          ? (common[(at + 1) * width + to + 1] ?? 0) + 1
          : Math.max(common[(at + 1) * width + to] ?? 0, common[at * width + to + 1] ?? 0);
  return common;
}

function between(before: readonly string[], now: readonly string[]): ChangedLine[] {
  if ((before.length + 1) * (now.length + 1) > MOST_CELLS) return [...all('gone', before), ...all('new', now)];
  const common = commonFrom(before, now);
  const width = now.length + 1;
  const lines: ChangedLine[] = [];
  let [at, to] = [0, 0];
  while (at < before.length && to < now.length) {
    if (before[at] === now[to]) {
      lines.push({ kind: 'kept', text: before[at] ?? '' });
      at += 1;
      to += 1;
    } else if ((common[(at + 1) * width + to] ?? 0) >= (common[at * width + to + 1] ?? 0)) {
      lines.push({ kind: 'gone', text: before[at] ?? '' });
      at += 1;
    } else {
      lines.push({ kind: 'new', text: now[to] ?? '' });
      to += 1;
    }
  }
  return [...lines, ...all('gone', before.slice(at)), ...all('new', now.slice(to))];
}

/** From one text to another: what stays, what goes and what comes, line by line. */
export function changedLines(before: string, now: string): ChangedLine[] {
  const [old, next] = [linesOf(before), linesOf(now)];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  return [
    ...all('kept', old.slice(0, start)),
    ...between(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...all('kept', old.slice(old.length - end)),
  ];
}
