import { Button } from '../../../ui/button.tsx';
import { useFormat, useT } from '../../../ui/words.ts';

const ROWS = 8;

export interface Part {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly onPick?: (() => void) | undefined;
}

/** Parts of what is in contact, the largest first, each with its bar and figure. */
export function Shares({ title, parts, note }: { title: string; parts: readonly Part[]; note?: string | undefined }) {
  const t = useT();
  const format = useFormat();
  const most = Math.max(1, ...parts.map(({ count }) => count));
  const [shown, rest] = [parts.slice(0, ROWS), parts.slice(ROWS)];
  return (
    <section className="m-panel m-panel-body m-stack-tight">
      <h2>{title}</h2>
      <ul className="m-plain-list m-active-shares">
        {shown.map(({ key, label, count, onPick }) => (
          <li key={key}>
            <span className="m-clip">
              {onPick ? (
                <Button look="quiet" small onClick={onPick}>
                  {label}
                </Button>
              ) : (
                <bdi>{label}</bdi>
              )}
            </span>
            <span className="m-active-bar" aria-hidden="true">
              <span style={{ inlineSize: `${(count / most) * 100}%` }} />
            </span>
            <b>{format.number(count)}</b>
          </li>
        ))}
      </ul>
      {rest.length > 0 ? <p className="m-small m-muted">{t('active.others', { count: rest.length })}</p> : null}
      {note ? <p className="m-small m-muted">{note}</p> : null}
    </section>
  );
}
