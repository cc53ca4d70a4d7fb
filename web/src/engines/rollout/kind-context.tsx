import { type ComponentType, createContext, useContext } from 'react';
import { bindPage } from '../../kit/bind-page.ts';
import type { Page } from '../../kit/route.ts';
import { isPackaged, type PackageRelease, type ReleaseKind } from './release-kind.ts';

export const Kinds = createContext<readonly ReleaseKind[]>([]);

/** Everything that can be released to terminals; within a page about one kind, that one alone. */
export const useKinds = (): readonly ReleaseKind[] => useContext(Kinds);

/** The kind that the page is about. */
export function useKind(): ReleaseKind {
  const [kind] = useKinds();
  if (!kind) throw new Error('a part of a release outside of its page');
  return kind;
}

export function usePackageRelease(): PackageRelease {
  const kind = useKind();
  if (!isPackaged(kind)) throw new Error(`${kind.of.kind} has no packages`);
  return kind;
}

interface Props {
  kinds: readonly ReleaseKind[];
  Screen: ComponentType;
}
const Within = ({ kinds, Screen }: Props) => (
  <Kinds value={kinds}>
    <Screen />
  </Kinds>
);

/** A page about these kinds. */
export const pageOf = (kinds: readonly ReleaseKind[], page: Page): Page => ({ ...page, ...bindPage(Within, { kinds, Screen: page.View }) });
