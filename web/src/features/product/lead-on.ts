import type { OutputOf } from '@mooring/contract/kit/call';
import { productCalls } from '@mooring/contract/product/calls';
import { wayTo } from '../../kit/made-on.ts';
import { change } from '../../kit/queries.ts';
import { mayCall, session } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import type { NextStep } from '../../ui/shown-toasts.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';

type Product = OutputOf<typeof productCalls.add>;

/** A product is published to be chosen, and then terminals enrol as it: whoever may do that is led there. */
export function leadOn({ id, name, publishStatus }: Product): NextStep | undefined {
  if (publishStatus === '0') {
    if (!mayCall(productCalls.publish)) return undefined;
    const publish = () =>
      void change(productCalls.publish, { id }).then(
        (published) => toast('done', t('done.published', { name }), leadOn(published)),
        // The client has shown why.
        () => undefined,
      );
    return { label: t('event.product.publish'), onClick: publish };
  }
  const { platform, held, user } = session.get();
  const way = wayTo(['regDevice?tab=codes&do=code'], { platform, held, elsewhere: new Set(user?.permissionsElsewhere) });
  return way && { label: t('product.next'), onClick: () => go(way.to) };
}
