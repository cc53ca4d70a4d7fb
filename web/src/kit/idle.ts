/** When the person last touched anything: what pages ask by themselves must not keep a session alive. */
let touchedAt = Date.now();
const touch = () => {
  touchedAt = Date.now();
};
for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const)
  globalThis.addEventListener?.(event, touch, { passive: true, capture: true });

export const idleSeconds = (): number => Math.floor((Date.now() - touchedAt) / 1000);
