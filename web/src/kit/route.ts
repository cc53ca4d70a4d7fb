import type { Platform } from '@mooring/contract/kit/call';
import type { ComponentType } from 'react';
import type { TextKey } from '../ui/words.ts';
import type { PageAction } from './list/types.ts';

/** A page as a value: what `listPage`, `detailPage`, `formPage`, `wizardPage` and `page` make. */
export interface Page {
  readonly View: ComponentType;
  /** What its head offers; the palette offers it as well. */
  readonly actions?: readonly PageAction[];
}

export interface RouteSpec {
  /** `/device/deviceDetail/:id`; `:id?` may be left out. */
  readonly path: string;
  /** A screen of both platforms names none. */
  readonly platform?: Platform;
  /** Outside of the shell, without a session. */
  readonly open?: boolean;
  readonly title: TextKey;
  readonly load: () => Promise<Page>;
  /** Keeps its state and scroll while other pages are shown. */
  readonly keepAlive?: boolean;
  /** The menu entry to light up where the page has none of its own. */
  readonly activeMenu?: string;
  /** The page above, for the way back in the breadcrumb; of several the one that is in the person's menu. */
  readonly parent?: string | readonly string[];
}

export const route = (spec: RouteSpec): RouteSpec => Object.freeze(spec);
