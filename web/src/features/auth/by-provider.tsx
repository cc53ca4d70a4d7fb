import { ssoCalls } from '@mooring/contract/auth/sso-calls';
import { useEffect, useRef, useState } from 'react';
import { OPS } from '../../kit/base.ts';
import { api, messageOf } from '../../kit/client.ts';
import { useCall } from '../../kit/queries.ts';
import { useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import type { WayProps } from './by-password.tsx';

/** By an identity provider, where one is set up: the browser goes there and comes back with a ticket. */
export function ByProvider({ platform, onAnswer }: Pick<WayProps, 'platform' | 'onAnswer'>) {
  const t = useT();
  const loose = useLooseT();
  const view = useView();
  const { data } = useCall(ssoCalls.config, {});
  const [failure, setFailure] = useState<string>();
  const ticket = view.search.get('sso');
  const refused = view.search.get('ssoError');
  const taken = useRef(false);
  useEffect(() => {
    if (!ticket || taken.current) return;
    taken.current = true;
    api(ssoCalls.finish, { ticket }, { hidden: true })
      .then(onAnswer)
      .catch((error: unknown) => setFailure(messageOf(error)));
  }, [ticket, onAnswer]);
  const wrong = failure ?? (refused ? loose(`fault.${refused}`, t('fault.SSO_REFUSED')) : undefined);
  if (!data?.enabled && !wrong) return null;
  return (
    <>
      {wrong ? <Note tone="danger">{wrong}</Note> : null}
      {data?.enabled ? (
        <Button icon="user" block onClick={() => location.assign(`${OPS}${ssoCalls.start.path}?platform=${platform}`)}>
          {t('auth.sso', { name: data.name || t('auth.sso.unnamed') })}
        </Button>
      ) : null}
    </>
  );
}
