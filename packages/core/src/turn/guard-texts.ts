/** The rest of a batch, once a call of it has ended the turn. */
export const turnTerminatedText = "tool was not executed because the turn already terminated";

export function doomReminder(toolId: string): string {
  return `[reminder: this ${toolId} call is the same as the one before. A third in a row is not run and ends the turn; change the arguments or try another way.]`;
}

export function doomStopText(toolId: string, times: number): string {
  return `The same ${toolId} call was made ${times} times in a row, so it was not run and the turn ends. Try another way, or ask the user.`;
}

export function duplicateCallText(toolId: string): string {
  return `This ${toolId} call is the same as an earlier one of the same response, so it was not run again. Use the earlier result.`;
}

export function truncatedCallText(toolId: string): string {
  return `The response was cut off by the output limit, so this ${toolId} call may be incomplete and was not run. Make the call again, with less in it.`;
}
