import type { Overview } from '@mooring/contract/stats/schemas';
import { hrefOf } from '../../kit/base.ts';
import { follow } from '../../kit/link.tsx';
import { wayTo } from '../../kit/made-on.ts';
import { useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';

type Step = keyof Overview['has'];
/** What an installation needs before it is alive, in the order that works; products are kept on the customer platform. */
const steps: readonly { readonly key: Step; readonly page: string; readonly to: string }[] = [
  { key: 'product', page: 'product', to: '/device/product' },
  { key: 'device', page: 'regDevice', to: '/regDevice?tab=codes' },
  { key: 'firmware', page: 'firmwarePackage', to: '/device/fota/version' },
  { key: 'release', page: 'firmwareTask', to: '/device/fota/taskmod/new' },
];

export function Checklist({ has }: { has: Overview['has'] }) {
  const t = useT();
  const { platform, held, user } = useSession();
  const reach = { platform, held, elsewhere: new Set(user?.permissionsElsewhere) };
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
        {steps.map(({ key, page, to }) => (
          <li key={key} className={has[key] ? 'm-todo m-todo-done' : 'm-todo'}>
            <span className="m-todo-mark">
              <Icon name={has[key] ? 'check' : 'right'} {...(has[key] ? { label: t('welcome.done') } : {})} />
            </span>
            <div className="m-grow m-stack-tight">
              <h3>{t(`welcome.${key}.title`)}</h3>
              <p className="m-muted">{t(`welcome.${key}.text`)}</p>
            </div>
            {has[key] || !wayTo([page], reach) ? null : (
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
