import { type CSSProperties, useEffect, useState } from 'react';
import { Brand } from '../../../kit/brand.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useStore } from '../../../ui/store.ts';
import { properties } from '../../../ui/tokens.ts';
import { speech, useFormat, useT } from '../../../ui/words.ts';
import { useWall } from './use-wall.ts';
import { wallViews } from './wall-views.tsx';
import './wall.css';

const TURN_MS = 20_000;
const dark = properties('dark', 'comfortable') as CSSProperties;

/** Which picture is shown: the next after a while, or by the arrow keys. */
function useTurns(count: number): number {
  const [at, setAt] = useState(0);
  useEffect(() => {
    let timer = setInterval(() => setAt((now) => (now + 1) % count), TURN_MS);
    const onKey = ({ key }: KeyboardEvent) => {
      const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? count - 1 : 0;
      if (by === 0) return;
      setAt((now) => (now + by) % count);
      clearInterval(timer);
      timer = setInterval(() => setAt((now) => (now + 1) % count), TURN_MS);
    };
    addEventListener('keydown', onKey);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', onKey);
    };
  }, [count]);
  return at;
}

/** The screen on a wall: dark, without anything to click, readable from afar. `token` is its own, or none: the person’s. */
export function WallScreen({ token }: { token: string | undefined }) {
  const t = useT();
  const format = useFormat();
  const isSpoken = Object.keys(useStore(speech).texts).length > 0;
  const { view, gone, lostAt } = useWall(token);
  const views = wallViews(view);
  const at = useTurns(views.length) % views.length;
  const shown = views[at];
  if (!isSpoken || !shown) return <div className="m-wall" style={dark} />;
  return (
    <main className="m-wall" style={dark}>
      <header className="m-wall-head">
        <Brand />
        {view ? <h1>{view.deptName}</h1> : null}
        <span className="m-wall-at">
          {lostAt !== undefined && view ? t('wall.lost', { at: format.moment(lostAt, 'time') }) : null}
          {lostAt === undefined && view ? t('wall.asOf', { at: format.moment(view.at as string, 'second') }) : null}
        </span>
      </header>
      {gone ? (
        <div className="m-wall-gone" role="alert">
          <Icon name="lock" />
          {view ? <h2>{t('wall.gone')}</h2> : <h1>{t('wall.gone')}</h1>}
          <p>{t('wall.gone.text')}</p>
        </div>
      ) : view ? (
        <section className="m-wall-body" aria-label={t(shown.title)}>
          <h2>{t(shown.title)}</h2>
          <shown.Body view={view} />
        </section>
      ) : null}
      <footer className="m-wall-foot" aria-hidden="true">
        {views.map((one, nth) => (
          <span key={one.title} className={nth === at ? 'm-wall-dot m-wall-dot-now' : 'm-wall-dot'} />
        ))}
      </footer>
    </main>
  );
}
