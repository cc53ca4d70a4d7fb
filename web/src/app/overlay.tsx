import { useEffect, useState } from 'react';
import { startingLanguage } from '../kit/language.ts';
import { bundled } from './bundled.ts';

const SECONDS = 10;

/** While texts are missing. Its words are in the bundle; Refresh comes after ten seconds. */
export function UnstableOverlay() {
  const words = bundled(startingLanguage());
  const [left, setLeft] = useState(SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="m-overlay" role="alert">
      <svg width="40" height="40" viewBox="0 0 24 24" className="m-spin" aria-hidden="true">
        <circle cx="12" cy="12" r="9" fill="none" stroke="var(--line)" strokeWidth="3" />
        <path d="M12 3a9 9 0 0 1 9 9" fill="none" stroke="var(--primary)" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <h1>{words.unstable}</h1>
      {left > 0 ? (
        <p>{words.waiting.replace('{n}', String(left))}</p>
      ) : (
        <button type="button" className="m-overlay-button" onClick={() => location.reload()}>
          {words.refresh}
        </button>
      )}
    </div>
  );
}
