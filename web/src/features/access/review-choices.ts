import { type GrantNode, roleCalls } from '@mooring/contract/access/role-calls';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';

const flat = (nodes: readonly GrantNode[], above = ''): { value: string; said: string }[] =>
  nodes.flatMap((node) => {
    const said = above === '' ? node.name : `${above} › ${node.name}`;
    return [...(node.type === 1 ? [] : [{ value: node.code, said }]), ...flat(node.children, node.type === 1 ? '' : said)];
  });

/** The pages and actions that the person holds too: their names are in that tree. */
export function useMenus(text: string) {
  const session = useSession();
  const found = useCall(roleCalls.grantable, { type: '1' }, { enabled: mayCall(roleCalls.grantable, session) });
  const part = text.toLowerCase();
  const choices = flat(found.data ?? []).map((one) => ({ value: one.value, label: { text: one.said } }));
  return { choices: choices.filter((one) => one.label.text.toLowerCase().includes(part)), busy: found.fetching };
}
