import type { Overview } from '@mooring/contract/stats/calls';
import { hrefOf } from '../../kit/base.ts';
import { follow } from '../../kit/link.tsx';
import { useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';

type Step = keyof Overview['has'];
/** What an installation needs before it is alive, in the order that works; products are kept on the customer platform. */
const steps: readonly { readonly key: Step; readonly to: string; readonly platform?: 'manager' }[] = [
  { key: 'product', to: '/device/product', platform: 'manager' },
  { key: 'device', to: '/regDevice?tab=codes' },
  { key: 'firmware', to: '/device/fota/version' },
  { key: 'release', to: '/device/fota/taskmod/new' },
];

export function Checklist({ has }: { has: Overview['has'] }) {
  const t = useT();
  const { user } = useSession();
  const next = steps.find((step) => !has[step.key])?.key;
  return (
    <section className="m-panel" aria-labelledby="begin">
      <div className="m-panel-head">
        <h2 id="begin" className="m-grow">
          {t('welcome.begin')}
        </h2>
        <span className="m-muted">{t('welcome.progress', { done: steps.filter((step) => has[step.key]).length, all: steps.length })}</span>
      </div>
      <ol>
        {steps.map(({ key, to, platform }) => (
          <li key={key} className={has[key] ? 'm-todo m-todo-done' : 'm-todo'}>
            <span className="m-todo-mark">
              <Icon name={has[key] ? 'check' : 'right'} {...(has[key] ? { label: t('welcome.done') } : {})} />
            </span>
            <div className="m-grow m-stack-tight">
              <h3>{t(`welcome.${key}.title`)}</h3>
              <p className="m-muted">{t(`welcome.${key}.text`)}</p>
            </div>
            {has[key] || (platform && !user?.platforms.includes(platform)) ? null : (
              <div className="m-todo-act">
                <Button {...(key === next ? { look: 'primary' as const } : {})} href={hrefOf(to)} onClick={follow(to)}>
                  {t(`welcome.${key}.act`)}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
