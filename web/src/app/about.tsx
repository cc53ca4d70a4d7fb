import { OPS, prefix } from '../kit/base.ts';
import { Brand } from '../kit/brand.tsx';
import { clearErrors, errorLog } from '../kit/error-log.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { useStore } from '../ui/store.ts';
import { useFormat, useT } from '../ui/words.ts';

/** The product's version (specification, section 1). */
const VERSION = '2.2.0';

const keys = [
  ['Ctrl K', 'shell.keys.palette'],
  ['F1', 'shell.keys.help'],
  ['/', 'shell.keys.search'],
  ['j', 'shell.keys.next'],
  ['k', 'shell.keys.previous'],
  ['Enter', 'shell.keys.open'],
  ['x', 'shell.keys.select'],
  ['e', 'shell.keys.actions'],
  ['Ctrl Enter', 'shell.keys.submit'],
] as const;

function Keys() {
  const t = useT();
  return (
    <>
      <h3>{t('shell.keys')}</h3>
      <dl className="m-keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd className="m-kbd" dir="ltr">
                {key}
              </kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function About({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const errors = useStore(errorLog);
  return (
    <Dialog open={open} title={t('shell.about.title')} onClose={onClose} width={560}>
      <div className="m-stack">
        <div className="m-row">
          <Brand large />
          <span className="m-grow" />
          <span className="m-muted">{t('shell.about.version', { version: VERSION })}</span>
        </div>
        <p className="m-muted">
          {t('shell.about.text')}{' '}
          <a href={`${prefix}/docs/api`} target="_blank" rel="noreferrer">
            {t('shell.about.api')}
          </a>{' '}
          · <code className="m-mono m-small">{OPS}</code>
        </p>
        <Keys />
        <div className="m-row">
          <h3 className="m-grow">{t('shell.about.errors')}</h3>
          {errors.length > 0 ? (
            <Button small onClick={clearErrors}>
              {t('shell.errors.clear')}
            </Button>
          ) : null}
        </div>
        {errors.length === 0 ? (
          <p className="m-muted">{t('shell.errors.none')}</p>
        ) : (
          <ScrollRegion className="m-errors" label={t('shell.about.errors')}>
            <ul>
              {errors.map((error) => (
                <li key={`${error.at}${error.text}`}>
                  <span className="m-small m-muted">
                    {format.moment(error.at, 'second')} · {error.where}
                  </span>
                  <pre className="m-mono m-small">{error.text}</pre>
                </li>
              ))}
            </ul>
          </ScrollRegion>
        )}
      </div>
    </Dialog>
  );
}
