import { type ReactNode, useEffect, useRef } from 'react';

/** The head of a page: what it is, and what can be done here. */
export function PageHead({
  title,
  note,
  before,
  focused = false,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  before?: ReactNode;
  /** The keyboard begins here, behind the menu: the next Tab is the first field. */
  focused?: boolean;
  children?: ReactNode;
}) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) head.current?.focus({ preventScroll: true });
  }, [focused]);
  return (
    <header className="m-page-head">
      {before}
      <div className="m-grow">
        <h1 ref={head} {...(focused ? { tabIndex: -1 } : {})}>
          {title}
        </h1>
        {note ? <div className="m-row m-row-wrap m-muted">{note}</div> : null}
      </div>
      <div className="m-row m-row-wrap m-page-acts">{children}</div>
    </header>
  );
}
