import { SHARE_VIEWS } from '@mooring/contract/settings/view-calls';
import { mayCall, useSession } from '../session.ts';

const shareField = { name: 'shared', label: 'kit.views.shared', help: 'kit.views.shared.help', kind: 'switch' } as const;
/** What people say of a view; sharing is offered to those who may. */
export function useViewFields() {
  const session = useSession();
  const name = { name: 'name', label: 'kit.views.name', wide: true } as const;
  return mayCall({ can: SHARE_VIEWS, platform: undefined }, session) ? [name, shareField] : [name];
}
