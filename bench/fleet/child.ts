/** In a process that `startTold` began: each order is carried out, and answered. */
export function obeying<O>(obey: (order: O) => Promise<unknown>): void {
  process.on('message', ({ id, order }: { id: number; order: O }) => {
    obey(order).then(
      (value) => process.send?.({ id, value: value ?? null }),
      (error: unknown) => process.send?.({ id, error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ id: 0, value: null });
}
