import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useT } from './words.ts';

/** Says what would be here and offers the next step. */
export function Empty({
  title,
  text,
  icon = 'inbox',
  level = 2,
  children,
}: {
  title: string;
  /** 1 where nothing else stands on the page. */
  level?: 1 | 2;
  text?: string | undefined;
  icon?: IconName;
  children?: ReactNode;
}) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="m-state" role="status">
      <span className="m-state-icon">
        <Icon name={icon} />
      </span>
      <Heading>{title}</Heading>
      {text ? <p>{text}</p> : null}
      {children ? <div className="m-row m-row-wrap m-state-acts">{children}</div> : null}
    </div>
  );
}

export interface ErrorStateProps {
  title?: string;
  /** 1 where nothing else stands on the page. */
  level?: 1 | 2;
  text: string;
  requestId?: string | undefined;
  onRetry?: () => void;
  children?: ReactNode;
}

/** What happened and what to do; the server's own words and the request's number. */
export function ErrorState({ title, text, requestId, onRetry, level = 2, children }: ErrorStateProps) {
  const t = useT();
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="m-state" role="alert">
      <span className="m-state-icon m-state-bad">
        <Icon name="warning" />
      </span>
      <Heading>{title ?? t('kit.error.title')}</Heading>
      <p>{text}</p>
      {requestId ? (
        <p className="m-small m-muted">
          {t('kit.error.request')} <code className="m-mono">{requestId}</code>
        </p>
      ) : null}
      <div className="m-row m-row-wrap m-state-acts">
        {onRetry ? (
          <Button icon="reload" onClick={onRetry}>
            {t('kit.retry')}
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** A grey bar in the place of a text that is on its way. */
export const Bone = ({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) => (
  <span className="m-bone" style={{ inlineSize: width, blockSize: height }} />
);

const widths = ['72%', '55%', '84%', '63%', '77%', '48%', '69%'];

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

export function TableSkeleton({ rows = 10, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <Loading>
      <div className="m-bone-table">
        {upTo(rows).map((row) => (
          <div key={row} className="m-bone-line">
            {upTo(columns).map((column) => (
              <Bone key={column} width={widths[(row * 3 + column * 5) % widths.length] ?? '60%'} />
            ))}
          </div>
        ))}
      </div>
    </Loading>
  );
}

export function PageSkeleton() {
  return (
    <Loading>
      <div className="m-page-bones m-stack">
        <Bone width={220} height={22} />
        <div className="m-panel m-panel-body m-stack">
          {widths.map((width) => (
            <Bone key={width} width={width} height={14} />
          ))}
        </div>
      </div>
    </Loading>
  );
}

export function Loading({ children }: { children: ReactNode }) {
  const t = useT();
  return (
    <div aria-busy="true">
      <span className="m-hidden" role="status">
        {t('kit.loading')}
      </span>
      {children}
    </div>
  );
}

type NoteTone = 'info' | 'warn' | 'danger' | 'plain';
const noteIcons: Record<NoteTone, IconName> = { info: 'about', warn: 'warning', danger: 'danger', plain: 'about' };

/** A sentence that stands on the page, with an act if one helps. */
export function Note({ tone = 'info', children, action }: { tone?: NoteTone; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`m-note m-note-${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon name={noteIcons[tone]} />
      <div className="m-grow">{children}</div>
      {action}
    </div>
  );
}
