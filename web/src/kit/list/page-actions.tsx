import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { hrefOf } from '../base.ts';
import { follow } from '../link.tsx';
import { mayCall, useSession } from '../session.ts';
import { goSearch, useView } from '../view.ts';
import type { PageAction } from './types.ts';

/** The address of an action's dialog: `/device/fota/version?do=add`. What acts at once has none, or a link would act. */
export const addressOf = (path: string, action: PageAction): string | undefined =>
  action.to ?? (action.Dialog ? `${path}?do=${action.key}` : undefined);

interface Props {
  actions: readonly PageAction[];
  /** Opens the dialog that the address names; one place of a page does. */
  addressed?: boolean;
}
export function PageActions({ actions, addressed = false }: Props) {
  const t = useT();
  const session = useSession();
  const view = useView();
  const [open, setOpen] = useState<string>();
  const wanted = addressed && view.active ? view.search.get('do') : null;
  useEffect(() => {
    if (wanted === null) return;
    setOpen(wanted);
    const search = new URLSearchParams(view.search);
    search.delete('do');
    goSearch(view, search);
  }, [wanted, view]);
  const Dialog = actions.find((action) => action.key === open && mayCall(action.call, session))?.Dialog;
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
