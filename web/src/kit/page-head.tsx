import type { ReactNode } from 'react';

/** The head of a page: what it is, and what can be done here. */
export function PageHead({
  title,
  note,
  before,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  before?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="m-page-head">
      {before}
      <div className="m-grow">
        <h1>{title}</h1>
        {note ? <div className="m-row m-row-wrap m-muted">{note}</div> : null}
      </div>
      <div className="m-row m-row-wrap m-page-acts">{children}</div>
    </header>
  );
}
