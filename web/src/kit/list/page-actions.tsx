import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { hrefOf } from '../base.ts';
import { follow } from '../link.tsx';
import { mayCall, useSession } from '../session.ts';
import { goSearch, searchNow, useView } from '../view.ts';
import type { PageAction } from './types.ts';

/** The address of an action's dialog: `/device/fota/version?do=add`. What acts at once has none, or a link would act. */
export const addressOf = (path: string, action: PageAction): string | undefined =>
  action.to ?? (action.Dialog ? `${path}?do=${action.key}` : undefined);

interface Drawn {
  readonly buttons: ReactNode;
  /** Stands where nothing takes it away while something is typed into it. */
  readonly dialog: ReactNode;
  readonly open: (key: string) => void;
}

/** Buttons, and apart from them the dialog that one of them opened: where a list is empty they go with its first row. */
export function usePageActs(actions: readonly PageAction[]): Drawn {
  const t = useT();
  const session = useSession();
  const [open, setOpen] = useState<string>();
  const shown = actions.filter((action) => mayCall(action.call, session));
  const Dialog = shown.find((action) => action.key === open)?.Dialog;
  const buttons = shown.map((action) => (
    <Button
      key={action.key}
      look={action.primary ? 'primary' : 'default'}
      {...(action.icon ? { icon: action.icon } : {})}
      {...(action.to ? { href: hrefOf(action.to) } : {})}
      onClick={(event) => (action.to ? follow(action.to)(event) : action.Dialog ? setOpen(action.key) : action.run?.())}
    >
      {t(action.label)}
    </Button>
  ));
  return { buttons, dialog: Dialog ? <Dialog onClose={() => setOpen(undefined)} /> : null, open: setOpen };
}

interface Props {
  actions: readonly PageAction[];
  /** Opens the dialog that the address names; one place of a page does. */
  addressed?: boolean;
}
export function PageActions({ actions, addressed = false }: Props) {
  const view = useView();
  const { buttons, dialog, open } = usePageActs(actions);
  const wanted = addressed && view.active ? view.search.get('do') : null;
  useEffect(() => {
    if (wanted === null) return;
    open(wanted);
    const search = searchNow(view);
    search.delete('do');
    goSearch(view, search);
  }, [wanted, view, open]);
  return (
    <>
      {buttons}
      {dialog}
    </>
  );
}
