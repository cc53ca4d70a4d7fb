import { regCalls } from '@mooring/contract/device/reg-calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { productCalls } from '@mooring/contract/product/calls';
import type { Overview } from '@mooring/contract/stats/schemas';
import { wayTo } from '../../kit/made-on.ts';
import { Offer } from '../../kit/offer.tsx';
import { useSession } from '../../kit/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { useT } from '../../ui/words.ts';

type Step = keyof Overview['has'];
/** What an installation needs before it is alive, in the order that works; products are kept on the customer platform. */
const steps: readonly { readonly key: Step; readonly page: string; readonly to: string; readonly call: Pick<Call, 'can'> }[] = [
  { key: 'product', page: 'product', to: '/device/product', call: productCalls.add },
  { key: 'device', page: 'regDevice', to: '/regDevice?tab=codes', call: regCalls.code },
  { key: 'firmware', page: 'firmwarePackage', to: '/device/fota/version', call: packageCalls.add },
  { key: 'release', page: 'firmwareTask', to: '/device/fota/taskmod/new', call: taskCalls.add },
];

export function Checklist({ has }: { has: Overview['has'] }) {
  const t = useT();
  const { platform, held, user } = useSession();
  const reach = { platform, held, elsewhere: new Set(user?.permissionsElsewhere) };
  const next = steps.find((step) => !has[step.key])?.key;
  const listed = steps.map((step) => {
    const way = has[step.key] ? undefined : wayTo([step.page], reach);
    return { ...step, way: way && isAllowed(way.platform ? reach.elsewhere : held, step.call.can) ? way : undefined };
  });
  // Whoever can take none of the steps that are left has nothing of it; where nothing else is there yet, it says what is missing.
  if (has.device && listed.every(({ way }) => !way)) return null;
  return (
    <section className="m-panel" aria-labelledby="begin">
      <div className="m-panel-head">
        <h2 id="begin" className="m-grow">
          {t('welcome.begin')}
        </h2>
        <span className="m-muted">{t('welcome.progress', { done: steps.filter((step) => has[step.key]).length, all: steps.length })}</span>
      </div>
      <ol>
        {listed.map(({ key, to, call, way }) => (
          <li key={key} className={has[key] ? 'm-todo m-todo-done' : 'm-todo'}>
            <span className="m-todo-mark">
              <Icon name={has[key] ? 'check' : 'right'} {...(has[key] ? { label: t('welcome.done') } : {})} />
            </span>
            <div className="m-grow m-stack-tight">
              <h3>{t(`welcome.${key}.title`)}</h3>
              <p className="m-muted">{t(`welcome.${key}.text`)}</p>
            </div>
            {way ? (
              <div className="m-todo-act">
                <Offer call={call} to={to} elsewhere={way.platform !== undefined} look={key === next ? 'primary' : 'default'}>
                  {t(`welcome.${key}.act`)}
                </Offer>
              </div>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
