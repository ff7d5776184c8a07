const minutesInDay = 24 * 60;

/** Minutes since midnight of a time such as "06:45". */
export function parseTime(text) {
  const [hours, minutes] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

/** A time of day such as "06:45". */
export function formatTime(total) {
  const minutes = total % minutesInDay;
  return `${Math.floor(minutes / 60)}:${minutes % 60}`;
}

/** Time between two events; the second may fall on the next day. */
export function between(from, to) {
  // TODO: midnight
  return parseTime(to) - parseTime(from);
}
