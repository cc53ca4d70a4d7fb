import type { ReactNode } from 'react';
import { type TextKey, useT } from '../../ui/words.ts';

/** One matter of the account: what it is, and what can be done about it. */
export function Card({
  title,
  text,
  acts,
  children,
}: {
  title: TextKey;
  text?: TextKey | undefined;
  acts?: ReactNode;
  children?: ReactNode;
}) {
  const t = useT();
  return (
    <section className="m-panel m-panel-body m-stack" aria-label={t(title)}>
      <div className="m-row m-row-wrap">
        <div className="m-grow m-stack-tight">
          <h2>{t(title)}</h2>
          {text ? <p className="m-muted">{t(text)}</p> : null}
        </div>
        {acts}
      </div>
      {children}
    </section>
  );
}

/** A line of a card: a name, how it stands, and its buttons. */
export function Line({ name, value, children }: { name: ReactNode; value: ReactNode; children?: ReactNode }) {
  return (
    <li className="m-account-line">
      <div className="m-grow">
        <div className="m-account-name">{name}</div>
        <div className="m-muted">{value}</div>
      </div>
      <div className="m-row m-row-wrap">{children}</div>
    </li>
  );
}
