import type { Session } from "../session";
import { byId } from "./dom";

/** Keys for everything that is used while watching. `session` is asked anew each time: runs come and go. */
export function listenToKeys(session: () => Session | null, toggleTheme: () => void): void {
  const always: Record<string, () => void> = {
    d: toggleTheme,
    o: () => byId<HTMLInputElement>("open").click(),
    "?": () => byId<HTMLDialogElement>("keys").showModal(),
  };
  const ofRun: Record<string, (s: Session, event: KeyboardEvent) => void> = {
    " ": (s) => {
      s.player.toggle();
      s.reload();
    },
    ArrowLeft: (s, event) => s.player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (s, event) => s.player.step(event.shiftKey ? 10 : 1),
    Home: (s) => s.player.seek(0),
    End: (s) => s.player.seek(s.player.frameCount - 1),
    "+": (s) => s.changeSpeed(1),
    "-": (s) => s.changeSpeed(-1),
    "1": (s) => s.look("x"),
    "2": (s) => s.look("y"),
    "3": (s) => s.look("z"),
    "4": (s) => s.look("free"),
    f: (s) => s.fit(),
    c: () => byId("contacts").click(),
    "/": (s) => s.search(),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isTyping = target.matches("input:not([type=range]):not([type=checkbox]), select, dialog *");
    const isPressing = event.key === " " && target.matches("button, input[type=checkbox]");
    if (isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const current = session();
    if (always[key]) always[key]();
    else if (current && ofRun[key]) ofRun[key](current, event);
    else return;
    event.preventDefault();
  });
}
