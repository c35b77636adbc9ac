from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from klopt import Scorer
from klopt.integrations.langchain import check, route

page = Document("Wifi switches off with **Flight mode**.", metadata={"source": "wifi.md"})
bot = RunnableLambda(lambda question: {"question": question, "context": [page]})
answer = RunnableLambda(lambda state: {**state, "answer": "Click **Turbo**."})  # your chain
chain = (
    bot
    | answer
    | check(Scorer.load())
    | route(
        send=RunnableLambda(lambda state: state["answer"]),
        otherwise=RunnableLambda(lambda state: f"Let me ask. ({state['klopt'].why})"),
    )
)
print(chain.invoke("How do I switch off wifi?"))
