import type { Overview } from '@mooring/contract/stats/calls';
import type { ReactNode } from 'react';
import { hrefOf } from '../../kit/base.ts';
import { follow } from '../../kit/link.tsx';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';

const FLEET = 'npm run fleet -- --count 50';

function Item({ done, title, text, children }: { done: boolean; title: string; text: string; children: ReactNode }) {
  return (
    <li className={done ? 'm-todo m-todo-done' : 'm-todo'}>
      <span className="m-todo-mark">
        <Icon name={done ? 'check' : 'right'} />
      </span>
      <div className="m-grow m-stack-tight">
        <h3>{title}</h3>
        <p className="m-muted">{text}</p>
      </div>
      {done ? null : <div className="m-todo-act">{children}</div>}
    </li>
  );
}

/** What an installation needs before it is alive, in the order that works. */
export function Checklist({ has, empty }: { has: Overview['has']; empty: boolean }) {
  const t = useT();
  const all = Object.values(has);
  const to = (address: string) => ({ href: hrefOf(address), onClick: follow(address) });
  return (
    <section className="m-panel" aria-labelledby="begin">
      <div className="m-panel-head">
        <h2 id="begin" className="m-grow">
          {t('welcome.begin')}
        </h2>
        <span className="m-muted">{t('welcome.progress', { done: all.filter(Boolean).length, all: all.length })}</span>
      </div>
      {empty ? <p className="m-panel-body m-muted">{t('welcome.beginText')}</p> : null}
      <ol>
        <Item done={has.device} title={t('welcome.virtual.title')} text={t('welcome.virtual.text')}>
          <Command text={FLEET} />
        </Item>
        <Item done={has.device} title={t('welcome.connect.title')} text={t('welcome.connect.text')}>
          <Button look="primary" {...to('/regDevice')}>
            {t('welcome.connect.act')}
          </Button>
        </Item>
        <Item done={has.firmware} title={t('welcome.firmware.title')} text={t('welcome.firmware.text')}>
          <Button {...to('/device/fota/version')}>{t('welcome.firmware.act')}</Button>
        </Item>
      </ol>
    </section>
  );
}
