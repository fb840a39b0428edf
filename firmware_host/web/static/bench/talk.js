// The wire: deeds go out one after the other, news come in; both begin again by themselves.

const RETRY = 400; // ms until a lost stream is asked for again
const SILENCE = 40000; // ms after which a stream is dead, whatever the browser thinks

export function talk({ news, lost, refused }) {
  let queue = Promise.resolve();
  let source = null;
  let waiting = 0;
  let heard = 0;

  function listen() {
    clearTimeout(waiting);
    source?.close();
    source = new EventSource("/api/bench/events");
    source.onmessage = (event) => {
      heard = Date.now();
      news(JSON.parse(event.data));
    };
    source.onopen = () => { heard = Date.now(); };
    source.onerror = () => {
      source.close();
      lost();
      waiting = setTimeout(listen, RETRY);
    };
  }

  async function send(deed) {
    let answer;
    try {
      answer = await fetch("/api/bench", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(deed),
      });
    } catch {
      return false; // the stream will say that the table is gone
    }
    if (answer.ok) return true;
    const said = await answer.json().catch(() => ({}));
    refused(said.why ?? answer.statusText);
    return false;
  }

  setInterval(() => { if (heard && Date.now() - heard > SILENCE) listen(); }, 5000);
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  listen();

  // In order, so that a piece is lifted before it is put down.
  return (deed) => (queue = queue.then(() => send(deed)));
}
