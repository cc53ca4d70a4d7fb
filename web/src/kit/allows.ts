interface Answered {
  readonly allowedActions?: readonly string[];
  /** What a server of 0.1 beside this one answers. */
  readonly offers?: readonly string[];
}
/** What the server says that the person may do with this row next; nothing where it says nothing. */
export const allowedActionsOf = (row: unknown): readonly string[] => {
  const { allowedActions, offers } = row as Answered;
  return allowedActions ?? offers ?? [];
};
export const allows = (row: unknown, action: string): boolean => allowedActionsOf(row).includes(action);
