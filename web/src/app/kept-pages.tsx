import { Activity, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Page, RouteSpec } from '../kit/route.ts';
import { type View, ViewContext } from '../kit/view.ts';
import { PageSkeleton } from '../ui/states.tsx';
import { Crash } from './crash.tsx';

const loading = new Map<RouteSpec, Promise<Page>>();
const here = new Map<RouteSpec, Page>();
export function pageOf(route: RouteSpec): Promise<Page> {
  let page = loading.get(route);
  if (!page) {
    page = route.load();
    page.then(
      (found) => here.set(route, found),
      // A failed load is tried again at the next visit.
      () => loading.delete(route),
    );
    loading.set(route, page);
  }
  return page;
}

/** Waits for the page's code by itself: React would leave a skeleton that has shown standing for 300 ms. */
function Loaded({ route }: { route: RouteSpec }) {
  const page = here.get(route);
  const [, setCame] = useState(page);
  const [failed, setFailed] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    let wanted = true;
    if (!page)
      pageOf(route).then(
        (found) => wanted && setCame(found),
        (error: unknown) => wanted && setFailed({ error }),
      );
    return () => {
      wanted = false;
    };
  }, [route, page]);
  if (failed) throw failed.error;
  if (!page) return <PageSkeleton />;
  const { View: Drawn } = page;
  return <Drawn />;
}

interface Kept {
  readonly key: string;
  readonly route: RouteSpec;
  readonly view: View;
}

/** More would hold rows and pictures that nobody comes back to. */
const MOST = 6;

/** The slot of a page scrolls by itself, and finds its place again when it is shown again. */
function Slot({ active, children }: { active: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const places = useRef<[Element, number, number][]>([]);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || !active) return;
    for (const [scroller, top, start] of places.current) scroller.scrollTo(start, top);
    return () => {
      places.current = [element, ...element.querySelectorAll('.m-table-frame')].map((one) => [one, one.scrollTop, one.scrollLeft]);
    };
  }, [active]);
  return (
    <div ref={frame} className="m-slot" hidden={!active}>
      {children}
    </div>
  );
}

/**
 * The page of the address, and behind it those that are kept alive. A hidden one holds the view that it was left with; it calls no
 * router hook, since those fail there.
 */
export function KeptPages({ route, view, place }: { route: RouteSpec; view: View; place: string }) {
  // A page with another id is another page; a list with other filters is the same.
  const key = `${place} ${view.path}`;
  const [kept, setKept] = useState<readonly Kept[]>([]);
  const shown: Kept = { key, route, view };
  const others = kept.filter((one) => one.key !== key && one.key.startsWith(`${place} `));
  const before = kept.find((one) => one.key === key);
  if (route.keepAlive && before?.view !== view) setKept([shown, ...others].slice(0, MOST));
  else if (others.length !== kept.length && !before) setKept(others);

  const all = [...others.filter((one) => one.route.keepAlive), shown].sort((a, b) => (a.key < b.key ? -1 : 1));
  return all.map((one) => {
    const active = one.key === key;
    return (
      <Activity key={one.key} mode={active ? 'visible' : 'hidden'}>
        <ViewContext value={active ? one.view : { ...one.view, active: false }}>
          <Slot active={active}>
            <Crash>
              <Loaded route={one.route} />
            </Crash>
          </Slot>
        </ViewContext>
      </Activity>
    );
  });
}
