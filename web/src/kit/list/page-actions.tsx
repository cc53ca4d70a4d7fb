import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { hrefOf } from '../base.ts';
import { follow } from '../link.tsx';
import { mayCall, useSession } from '../session.ts';
import type { PageAction } from './types.ts';

export function PageActions({ actions }: { actions: readonly PageAction[] }) {
  const t = useT();
  const session = useSession();
  const [open, setOpen] = useState<string>();
  const Dialog = actions.find((action) => action.key === open)?.Dialog;
  return (
    <>
      {actions
        .filter((action) => mayCall(action.call, session))
        .map((action) => (
          <Button
            key={action.key}
            look={action.primary ? 'primary' : 'default'}
            {...(action.icon ? { icon: action.icon } : {})}
            {...(action.to ? { href: hrefOf(action.to) } : {})}
            onClick={(event) => (action.to ? follow(action.to)(event) : action.Dialog ? setOpen(action.key) : action.run?.())}
          >
            {t(action.label)}
          </Button>
        ))}
      {Dialog ? <Dialog onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
